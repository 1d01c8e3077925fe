"""A source with its syntax tree: its places, its meaning, and edits that keep the rest of it."""

import ast
import contextlib
import copy
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from transformer_workbook.shared.syntax import BLOCKS, code_of, in_one_line, is_docstring, parse

from .edit import Edit, Meaning

Node = Any  # an ast.AST of a kind that has places: ast.AST itself declares none
FUNCTIONS = ast.FunctionDef | ast.Lambda
COMPREHENSIONS = ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp
# Nodes without a place: the parser makes one of each kind for a whole tree.
SHARED = ast.expr_context | ast.operator | ast.unaryop | ast.cmpop | ast.boolop
UNSEEN_FIELDS = {"annotation", "returns"}
# What needs no parentheses, wherever it stands.
WHOLE = (ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.List | ast.ListComp | ast.Dict
         | ast.DictComp | ast.Set | ast.SetComp | ast.Constant)  # fmt: skip
LEAVES = ast.Name | ast.Constant | ast.UnaryOp | ast.Slice | ast.Attribute | ast.Starred


class ParsedSource:
    """A source and its tree.

    `starts` has the offset of each line in the text. `parents` has each node's parent, the
    parent's field that holds the node, and the node's index if that field is a list.
    """

    def __init__(self, text: str):
        self.text, self.tree = text, parse(text)
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines = text.splitlines()
        self.parents: dict[ast.AST, tuple[ast.AST, str, int | None]] = {}
        for parent in ast.walk(self.tree):
            for name, value in ast.iter_fields(parent):
                for index, child in enumerate(value if isinstance(value, list) else [value]):
                    if isinstance(child, ast.AST) and not isinstance(child, SHARED):
                        at = index if isinstance(value, list) else None
                        self.parents[child] = (parent, name, at)

    def at(self, line: int, column: int) -> int:
        """The offset of a position as ast has it: lines from 1, columns in UTF-8 bytes."""
        text = self.lines[line - 1].encode()[:column].decode()
        return self.starts[line - 1] + len(text)

    def span(self, node: Node) -> tuple[int, int]:
        """The offsets of a node's first character and behind its last, decorators included."""
        start = self.at(node.lineno, node.col_offset)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            start = self.starts[node.decorator_list[0].lineno - 1] + node.col_offset
        return start, self.at(node.end_lineno, node.end_col_offset)

    def lines_of(self, node: Node) -> tuple[int, int]:
        """The offsets of a node's first line and behind its last."""
        return self.starts[node.lineno - 1], self.starts[node.end_lineno]

    def segment(self, node: Node) -> str:
        """The node's source segment in one line; of a block, its head."""
        if hasattr(node, "body") and isinstance(node, ast.stmt):
            return self.code(node.lineno)
        start, end = self.span(node)
        return in_one_line(self.text[start:end])

    def code(self, number: int) -> str:
        """The code of a line, counted from 1."""
        return code_of(self.lines[number - 1])

    def _shown(self, node: Node) -> Node | tuple[int, int]:
        """The node, or the span, to quote for a change of `node`."""
        while isinstance(node, LEAVES | ast.keyword | ast.comprehension):
            parent: Node = self.parents[node][0]
            if isinstance(parent, ast.arguments):
                return self.span(parameter_of(parent, node))[0], self.span(node)[1]
            node = self.parents[node][0]
        if isinstance(node, ast.Tuple) and isinstance(self.parents[node][0], ast.Subscript):
            node = self.parents[node][0]
        return node

    def swap(self, kind: str, node: Node, new: ast.expr) -> Iterator[Edit]:
        """Write `new` in place of `node`, in parentheses where it needs them."""
        statement, path = self._way_to(node)
        with self.replaced(node, new):
            head_wanted = head(statement)
        if head_wanted == head(statement):
            return
        start, end = self.span(node)
        for text in self._written(new):
            try:
                changed: Node = parse(self.text[:start] + text + self.text[end:])
            except SyntaxError:
                continue
            for field, at in path:
                changed = getattr(changed, field)[at]
            if head(changed) == head_wanted:
                edit = self.edit(kind, (start, end), text, self._shown(node))
                yield replace(edit, meaning=self._meaning_with(statement, head_wanted))
                return

    @contextlib.contextmanager
    def replaced(self, node: Node, new: ast.expr) -> Iterator[None]:
        """While this lasts, the tree has `new` instead of `node`."""
        parent, name, index = self.parents[node]
        before = getattr(parent, name)
        if index is None:
            setattr(parent, name, new)
        else:
            setattr(parent, name, [*before[:index], new, *before[index + 1 :]])
        try:
            yield
        finally:
            setattr(parent, name, before)

    def _way_to(self, node: Node) -> tuple[ast.stmt, list[tuple[str, Any]]]:
        """The innermost statement around a node, and the path of fields to it from the root."""
        statement = at = self.statement_of(node)
        path = list[tuple[str, Any]]()
        while at is not self.tree:
            at, name, index = self.parents[at]
            path.append((name, index))
        return statement, path[::-1]

    def _meaning_with(self, statement: ast.stmt, head: str) -> Meaning:
        """The meaning of the source with another head of one statement."""
        return tuple(
            place + (head if each is statement else its_head)
            for each, place, its_head in self._heads
        )

    @cached_property
    def _heads(self) -> list[tuple[ast.stmt, str, str]]:
        return [(statement, place, head(statement)) for statement, place in statements(self.tree)]

    def _written(self, new: ast.expr) -> Iterator[str]:
        """Texts of an expression, from few parentheses to many.

        Parts that the source has already keep their text.
        """
        if new in self.parents:
            placeholders = {"kept_0": new}
        else:
            placeholders = {f"kept_{n}": node for n, node in enumerate(self._existing_parts(new))}
        stands_for = {id(node): ast.Name(name, ast.Load()) for name, node in placeholders.items()}
        pattern = in_one_line(ast.unparse(copy.deepcopy(new, stands_for)))
        for around in ("{}", "({})"):
            text = pattern[1:-1] if isinstance(new, ast.Tuple) and len(new.elts) > 1 else pattern
            for name, node in reversed(placeholders.items()):
                piece = self.segment(node)
                is_whole = isinstance(node, WHOLE)
                text = text.replace(name, piece if is_whole else around.format(piece))
            yield text
            yield f"({text})"
        yield f"({in_one_line(ast.unparse(new))})"

    def _existing_parts(self, new: ast.AST) -> Iterator[ast.expr]:
        """The largest parts of a new expression that the source has already."""
        for child in ast.iter_child_nodes(new):
            if isinstance(child, ast.expr) and child in self.parents:
                yield child
            else:
                yield from self._existing_parts(child)

    def edit(
        self, kind: str, span: tuple[int, int], text: str, shown: ast.AST | tuple[int, int]
    ) -> Edit:
        """Write `text` into a span; `old` and `new` quote `shown`, before and after."""
        start, end = span
        if isinstance(shown, tuple):
            first, last = shown
        elif hasattr(shown, "body") and isinstance(shown, ast.stmt):  # the head alone
            first = self.starts[shown.lineno - 1]
            last = max(end, first + len(self.lines[shown.lineno - 1].partition("  #")[0]))
        else:
            first, last = self.span(shown)
        number = self.text.count("\n", 0, start) + 1
        old = in_one_line(self.text[first:last])
        new = in_one_line(self.text[first:start] + text + self.text[end:last])
        return self.splice(kind, span, text, number, old, new)

    def splice(
        self, kind: str, span: tuple[int, int], text: str, number: int, old: str, new: str
    ) -> Edit:
        """Write `text` into a span, with the line and the words to quote."""
        source = self.text[: span[0]] + text + self.text[span[1] :]
        return Edit(kind, self.code(number), old, source, new, number)

    @cached_property
    def attributes(self) -> dict[tuple[str, ast.AST | None], set[str]]:
        """The attributes that are set on `self`, by class; for other names, those that are read."""
        names = defaultdict(set)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = node.value.id
                parent = self.parents[node][0]
                is_method = isinstance(parent, ast.Call) and parent.func is node
                if owner == "self":
                    if isinstance(node.ctx, ast.Store):
                        names["self", self.class_of(node)].add(node.attr)
                elif not is_method:
                    names[owner, None].add(node.attr)
        return names

    def statement_of(self, node: ast.AST) -> Any:
        """The innermost statement that a node is in: itself, if it is one."""
        return next(outer for outer in (node, *self.around(node)) if isinstance(outer, ast.stmt))

    def class_of(self, node: ast.AST) -> ast.AST | None:
        """The innermost class around a node."""
        return next((outer for outer in self.around(node) if isinstance(outer, ast.ClassDef)), None)

    def fields(self, node: ast.AST) -> set[str]:
        """The names of the fields that a node stands in, of all nodes around it."""
        return {
            self.parents[outer][1] for outer in (node, *self.around(node)) if outer in self.parents
        }

    def is_unseen(self, node: ast.AST) -> bool:
        """Whether no test can see a change of a node: annotations, docstrings, texts of errors."""
        around = [*self.around(node)]
        return (
            bool(self.fields(node) & UNSEEN_FIELDS)
            or any(
                isinstance(outer, ast.JoinedStr) or is_docstring(outer) for outer in (node, *around)
            )
            or any(isinstance(outer, ast.Raise) for outer in around)
        )

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from its parent to the module."""
        while node in self.parents:
            node = self.parents[node][0]
            yield node


def meaning_of_text(text: str) -> Meaning | None:
    """The meaning of a text; None where it does not compile, as a `break` outside a loop."""
    try:
        compile(text, "", "exec")
    except SyntaxError:
        return None
    return meaning_of_tree(parse(text))


def meaning_of_tree(tree: ast.Module) -> Meaning:
    """The syntax tree without docstrings, by statements. Sources with equal trees do the same."""
    return tuple(place + head(statement) for statement, place in statements(tree))


def statements(node: ast.AST, depth: str = "") -> Iterator[tuple[ast.stmt, str]]:
    """All statements but docstrings, each with the names of the blocks that it is in."""
    for name in BLOCKS:
        block = getattr(node, name, None)
        for statement in block if isinstance(block, list) else []:
            if not is_docstring(statement):
                yield statement, f"{depth}{name} "
                yield from statements(statement, f"{depth}{name} ")


def head(statement: ast.stmt) -> str:
    """A dump of a statement without the blocks in it."""
    fields = {name: [] if name in BLOCKS else value for name, value in ast.iter_fields(statement)}
    return ast.dump(type(statement)(**fields))


def parameter_of(node: ast.arguments, default: ast.AST) -> ast.arg:
    """The parameter that has the default."""
    positional = [*node.posonlyargs, *node.args]
    positional = positional[len(positional) - len(node.defaults) :]
    pairs = zip([*node.kwonlyargs, *positional], [*node.kw_defaults, *node.defaults], strict=True)
    return next(parameter for parameter, value in pairs if value is default)
