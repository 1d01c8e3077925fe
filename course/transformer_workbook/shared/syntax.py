"""Parses Python, one thread at a time; what students wrote only up to a size."""

import ast
import os
import threading

MODULES = {"torch", "nn", "F", "math", "np", "random", "wb", "copy", "itertools", "functools"}
BLOCKS = ("body", "orelse", "handlers", "finalbody")  # the fields of a statement that hold others

# In Python 3.11 the parser counts its recursion for all threads together: where one is interrupted
# (by a finalizer, in garbage collection) and another one parses, both raise SystemError.
_ONE_AT_A_TIME = threading.RLock()
# In a process that is forked meanwhile, nobody would give it back.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_ONE_AT_A_TIME.acquire,
        after_in_parent=_ONE_AT_A_TIME.release,
        after_in_child=_ONE_AT_A_TIME.release,
    )

# The largest answer that the lessons list has 2,961 characters, 562 nodes and a depth of 18.
LONGEST = 40_000  # characters
MOST_NODES = 8_000
# ast.unparse and copy.deepcopy take several frames of Python's stack for each level.
DEEPEST = 80


def parse(source: str) -> ast.Module:
    """The syntax tree of a source. Raises SyntaxError, and ValueError for null bytes.

    A hostile source may raise RecursionError and MemoryError, too: see `read`.
    """
    with _ONE_AT_A_TIME:
        return ast.parse(source)


def parse_expression(source: str) -> ast.expr:
    """The syntax tree of one expression. Raises as `parse` does."""
    with _ONE_AT_A_TIME:
        return ast.parse(source, mode="eval").body


def read(source: str) -> ast.Module | None:
    """The syntax tree of what a student wrote; None unless it is Python, and as large as answers.

    So recursive functions such as `ast.unparse` can take the tree, and analyzing it takes little
    time.
    """
    if len(source) > LONGEST:
        return None
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree if _is_of_an_answers_size(tree) else None


def _is_of_an_answers_size(tree: ast.AST) -> bool:
    count, level = 0, [tree]
    for _depth in range(DEEPEST):
        count += len(level)
        if count > MOST_NODES:
            return False
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return True
    return False


def is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def code_of(line: str) -> str:
    """A line without its comment, which students may change."""
    return line.partition("  #")[0].strip()


def in_one_line(text: str) -> str:
    return " ".join(text.split())


def is_module(node: ast.expr) -> bool:
    """Whether an expression is a module, such as torch.nn.functional."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in MODULES
