"""Substitutes for an expression, to be tried only where trying takes next to no time."""

import ast
from collections.abc import Iterator

from ...shared.syntax import parse_expression
from ..inline import filled
from ..scopes import names_before
from ..source import ParsedSource
from ..torch_facts import called_name, is_module
from .repairs_by_addition import PYTHON_FUNCTIONS

NUMBERS = (0, 1, 2, 3, 4, 6, 8, 10, 0.5, 100, 1000, 10000)
REDUCING = ("sum", "mean", "max", "min", "prod", "amax", "amin", "any", "all", "std", "var", "norm")
MORE_PYTHON_FUNCTIONS = ("any", "all", "abs", "round", "int")
# X is the expression as it stands.
PARTS = (
    "X[0]", "X[-1]", "X[1:]", "X[:-1]", "X[..., 0]", "X[..., -1]", "X[:, 0]", "X[:, -1]",
    "X[:, 1:]", "X[:, :-1]", "X[:, -1:]", "X[..., -1:]", "X[..., 1:]", "X[..., :-1]",
    "X[..., 0::2]", "X[..., 1::2]", "X[None]", "X[:, None]", "X[..., None]", "X[:, :, None]",
)  # fmt: skip
ENTRIES = ("0", "1", "-1", ":", "...", "None", "1:", ":-1", "-1:", "0::2", "1::2")
SIZES = ("X.size(0)", "X.size(1)", "X.size(-1)", "X.size(-2)", "X.numel()")
OTHER_KEYWORDS = {"min": "max", "max": "min"}
SWAPS = ("X.transpose(0, 1)", "X.transpose(0, 2)", "X.transpose(2, 3)", "X.transpose(1, 3)")


def substitute_expression(source: ParsedSource, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The kinds of change of an expression, each with the expression to write in its place."""
    if _is_no_value(source, node):
        return
    match node:
        case ast.Constant(int() | float() as value) if not isinstance(value, bool):
            for number in dict.fromkeys((2 * value, value / 2, *NUMBERS)):
                yield "constant", ast.Constant(number)
        case ast.Subscript(value=value, slice=entries):
            for other in _other_entries(entries):
                yield "index", ast.Subscript(value, other, ast.Load())
        case ast.Call():
            yield from _other_functions(node)
    names = names_before(source, node)
    if isinstance(node, ast.BinOp | ast.Call | ast.Subscript | ast.Attribute):
        for name in names:
            yield "instead", parse_expression(name)
    if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        yield from (("part", filled(pattern, node)) for pattern in PARTS)
        yield from (("transposed", filled(pattern, node)) for pattern in SWAPS)
    if _may_be_a_size(node):
        for name in names:
            for pattern in SIZES:
                yield "size", filled(pattern, parse_expression(name))


def _is_no_value(source: ParsedSource, node: ast.expr) -> bool:
    """Whether no value could replace a node: it is called or assigned to, a slice, or a module."""
    parent, field, _index = source.parents[node]
    is_target = not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    is_called = isinstance(parent, ast.Call) and field == "func"
    return is_target or is_called or isinstance(node, ast.Slice) or is_module(node)


def _may_be_a_size(node: ast.expr) -> bool:
    match node:
        case ast.Name() | ast.Constant(int()):
            return True
        case ast.Call():
            return called_name(node) in ("size", "len", "numel")
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
    return False


def _other_entries(entries: ast.expr) -> Iterator[ast.expr]:
    """Other entries of a subscript, one at a time."""
    old = (
        [ast.unparse(element) for element in entries.elts]
        if isinstance(entries, ast.Tuple)
        else None
    )
    old = old or [ast.unparse(entries)]
    for index in range(len(old)):
        for entry in ENTRIES:
            new = ", ".join([*old[:index], entry, *old[index + 1 :]])
            yield parse_expression(f"X[{new}]").slice  # type: ignore[attr-defined]


def _other_functions(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    func, called = node.func, called_name(node)
    if isinstance(func, ast.Attribute) and called in REDUCING:
        for name in REDUCING:
            new = ast.Attribute(func.value, name, ast.Load())
            yield "function", ast.Call(new, node.args, node.keywords)
    if isinstance(func, ast.Name) and called in (*MORE_PYTHON_FUNCTIONS, *PYTHON_FUNCTIONS):
        for name in MORE_PYTHON_FUNCTIONS:
            yield "function", ast.Call(parse_expression(name), node.args, node.keywords)
    for index, keyword in enumerate(node.keywords):
        if other := OTHER_KEYWORDS.get(keyword.arg or ""):
            changed = [*node.keywords]
            changed[index] = ast.keyword(other, keyword.value)
            yield "other-keyword", ast.Call(func, node.args, changed)
