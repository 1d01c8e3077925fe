"""What people write by mistake in place of a statement, or of a parameter's default."""

import ast
import textwrap
from collections.abc import Iterator

from transformer_workbook.shared.syntax import is_docstring

from .edit import Edit
from .mistakes_in_expressions import OPERATORS, swapped, without
from .scopes import is_used_again
from .source import Node, ParsedSource, parameter_of


def mutate_statement(source: ParsedSource, node: ast.stmt) -> Iterator[Edit]:
    """All changes of a statement, those of its expressions excepted."""
    match node:
        case ast.If():
            for kind, new in _other_tests(node.test):
                yield from source.swap(kind, node.test, new)
        case ast.While():
            for kind, new in _other_tests(node.test):
                if not (isinstance(new, ast.Constant) and new.value is True):  # would never end
                    yield from source.swap(kind, node.test, new)
        case ast.For():
            items = ast.Call(ast.Name("list", ast.Load()), [node.iter], [])
            first = ast.Constant(1)
            for cut in (ast.Slice(first), ast.Slice(None, ast.UnaryOp(ast.USub(), first))):
                yield from source.swap("loop", node.iter, ast.Subscript(items, cut, ast.Load()))
        case ast.With():
            head = source.at(node.lineno, node.col_offset)
            end = source.text.index(":", source.span(node.items[-1].context_expr)[1]) + 1
            yield source.edit("context", (head, end), "if True:", node)
        case ast.Return(value=ast.expr() as value):
            for new in _other_results(value):
                yield from source.swap("result", value, new)
        case ast.AugAssign():
            for op in OPERATORS.get(type(node.op), ()):
                text = ast.unparse(ast.AugAssign(node.target, op(), node.value))
                yield source.edit("operator", source.span(node), text, node)
            text = f"{source.segment(node.target)} = {source.segment(node.value)}"
            yield source.edit("operator", source.span(node), text, node)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp() as value) if (
            isinstance(value.left, ast.Name)
            and value.left.id == name
            and is_used_again(source, value.left)
        ):
            text = ast.unparse(ast.AugAssign(ast.Name(name), value.op, value.right))
            yield source.edit("in place", source.span(node), text, node)
        case ast.Break() | ast.Continue():
            other_jump = "continue" if isinstance(node, ast.Break) else "break"
            yield source.edit("jump", source.span(node), other_jump, node)
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from _without_decorators(source, node)
    is_the_component = source.parents[node][0] is source.tree
    if not is_the_component and not isinstance(node, ast.Pass):
        yield from _left_out(source, node)
        yield from _exchanged(source, node)
        yield from _moved(source, node)


def _other_tests(test: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inverted = test.operand
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        inverted = test  # another comparison is a change of the expression
    else:
        inverted = ast.UnaryOp(ast.Not(), test)
    yield "condition", inverted
    yield "always", ast.Constant(True)
    yield "always", ast.Constant(False)


def _other_results(value: ast.expr) -> Iterator[ast.expr]:
    """Other values to return; an empty tuple and a tuple of one have none."""
    if not isinstance(value, ast.Tuple):
        yield ast.Tuple([value], ast.Load())
    elif len(value.elts) > 1:
        elts = value.elts
        for index in range(len(elts)):
            others = without(elts, index)
            yield others[0] if len(others) == 1 else ast.Tuple(others, ast.Load())
        for index in range(len(elts) - 1):
            yield ast.Tuple(swapped(elts, index), ast.Load())


def _without_decorators(
    source: ParsedSource, node: ast.FunctionDef | ast.ClassDef
) -> Iterator[Edit]:
    for decorator in node.decorator_list:
        start, end = source.lines_of(decorator)
        old = source.text[start:end].strip()
        yield source.splice("context", (start, end), "", decorator.lineno, old, "(left out)")


def _left_out(source: ParsedSource, node: ast.stmt) -> Iterator[Edit]:
    old, new = source.segment(node), "(left out)"
    yield source.splice("statement", source.span(node), "pass", node.lineno, old, new)


def _exchanged(source: ParsedSource, node: ast.stmt) -> Iterator[Edit]:
    """The statement and the next one in the other order."""
    body, index = _siblings(source, node)
    if index + 1 == len(body) or isinstance(node, ast.FunctionDef | ast.ClassDef):
        return
    after = body[index + 1]
    if isinstance(after, ast.FunctionDef | ast.ClassDef) or is_docstring(node):
        return
    if _are_apart(node, after):
        return
    (start, middle), (again, end) = source.span(node), source.span(after)
    text = source.text[again:end] + source.text[middle:again] + source.text[start:middle]
    first, second = source.segment(node), source.segment(after)
    old, new = f"{first}; {second}", f"{second}; {first}"
    yield source.splice("order", (start, end), text, node.lineno, old, new)


def _are_apart(first: ast.stmt, second: ast.stmt) -> bool:
    """Whether the order of two statements cannot change a result.

    It cannot for two assignments that use nothing of each other, where one may be a guard (an `if`
    that only raises) if the other calls nothing. What stands beside `super().__init__()` counts as
    apart, too.
    """
    pair = (first, second)
    if any(isinstance(node, ast.Expr) and "super()" in ast.unparse(node) for node in pair):
        return True
    guards = [node for node in pair if _is_guard(node)]
    assignments = [node for node in pair if isinstance(node, ast.Assign)]
    if len(guards) + len(assignments) < 2:
        return False
    if guards and any(
        isinstance(part, ast.Call) for node in assignments for part in ast.walk(node)
    ):
        return False

    def texts(node: ast.AST, context: type) -> set[str]:
        return {
            ast.unparse(part)
            for part in ast.walk(node)
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript)
            and isinstance(part.ctx, context)
        }

    bound = [texts(node, ast.Store) for node in pair]
    used = [texts(node, ast.Load) | targets for node, targets in zip(pair, bound, strict=True)]
    no_subscripts = all("[" not in text for text in bound[0] | bound[1])
    return no_subscripts and not bound[0] & used[1] and not bound[1] & used[0]


def _is_guard(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and not node.orelse
        and all(isinstance(child, ast.Raise) for child in node.body)
    )


def _moved(source: ParsedSource, node: ast.stmt) -> Iterator[Edit]:
    """The last statement of a block behind it, the first before it, the next after it into it."""
    body, index = _siblings(source, node)
    parent: Node = source.parents[node][0]
    start, end = source.lines_of(node)
    lines = source.text[start:end]
    segment = source.segment(node)
    is_block = isinstance(parent, ast.If | ast.For | ast.While | ast.With)
    if is_block and index + 1 == len(body) and body is _last_body(parent):
        left = "" if index else _indent(node) + "pass\n"
        text = left + _indented(lines, _indent(parent))
        new = f"(after `{source.segment(parent)}`)"
        yield source.splice("block", (start, end), text, node.lineno, segment, new)
    if is_block and index == 0 and body is parent.body:
        first = source.starts[parent.lineno - 1]
        left = "" if len(body) > 1 else _indent(node) + "pass\n"
        text = _indented(lines, _indent(parent)) + source.text[first:start] + left
        new = f"(before `{source.segment(parent)}`)"
        yield source.splice("block", (first, end), text, node.lineno, segment, new)
    before = body[index - 1] if index else None
    if isinstance(before, ast.If | ast.For | ast.While | ast.With):
        inside = _last_body(before)[-1]
        text = _indented(lines, _indent(inside))
        new = f"(into `{source.segment(before)}`)"
        yield source.splice("into-a-block", (start, end), text, node.lineno, segment, new)


def _indent(node: ast.stmt) -> str:
    return " " * node.col_offset


def _siblings(source: ParsedSource, node: ast.stmt) -> tuple[list[ast.stmt], int]:
    parent, name, index = source.parents[node]
    assert index is not None  # a statement stands in a list
    return getattr(parent, name), index


def _last_body(node: Node) -> list[ast.stmt]:
    body: list[ast.stmt] = getattr(node, "orelse", None) or node.body
    return body


def _indented(lines: str, indent: str) -> str:
    return textwrap.indent(textwrap.dedent(lines if lines.endswith("\n") else lines + "\n"), indent)


def mutate_defaults(source: ParsedSource, node: ast.arguments) -> Iterator[Edit]:
    """The first default left out, which makes its parameter a required one."""
    if not node.defaults:
        return
    default = node.defaults[0]
    first, start = source.span(parameter_of(node, default))
    end = source.span(default)[1]
    yield source.edit("default", (start, end), "", (first, end))
