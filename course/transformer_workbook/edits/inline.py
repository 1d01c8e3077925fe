"""Inlines variables that are used once.

Then the steps of a computation in two lines can be reordered like those of one line.
"""

import ast
from collections import Counter

from ..shared.syntax import parse, parse_expression
from .source import FUNCTIONS, statements


def inlined(text: str) -> tuple[str, list[int]] | None:
    """The source without such variables, and the line in `text` of each of its statements.

    None if there are no such variables. The statements are in the order of `source.statements`.
    """
    tree = parse(text)
    removed: set[ast.stmt] = set()
    for function in ast.walk(tree):
        if isinstance(function, FUNCTIONS) and not isinstance(function, ast.Lambda):
            removed |= _inline(function)
    if not removed:
        return None
    line_numbers = [node.lineno for node, _block in statements(tree) if node not in removed]
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            node.body = [child for child in node.body if child not in removed]  # type: ignore[attr-defined]
    return ast.unparse(tree), line_numbers


def _inline(function: ast.FunctionDef) -> set[ast.stmt]:
    """Inline the variables of a function's own block; returns their assignments, now needless."""
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    stored = Counter(node.id for node in names if not isinstance(node.ctx, ast.Load))
    loaded = Counter(node.id for node in names if isinstance(node.ctx, ast.Load))
    removed: set[ast.stmt] = set()
    for statement in function.body:
        match statement:
            case ast.Assign([ast.Name(name)], value) if stored[name] == loaded[name] == 1:
                put(function, name, value)
                removed.add(statement)
    return removed


def filled(pattern: str, value: ast.expr) -> ast.expr:
    """A pattern such as "X + 1" as an expression, with `value` for X."""
    expression = parse_expression(pattern)
    put(expression, "X", value)
    return expression


def put(tree: ast.AST, name: str, value: ast.expr) -> None:
    """Put the value wherever the name is read within the tree."""
    _Put(name, value).visit(tree)


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr):
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        is_use = node.id == self._name and isinstance(node.ctx, ast.Load)
        return self._value if is_use else node
