"""What people write by mistake in place of an expression; each rule names its exact kind."""

import ast
from collections.abc import Iterator
from typing import Any

from transformer_workbook.shared.syntax import is_module

from .scopes import is_used_again, other_attributes, other_names, records_no_gradient
from .source import ParsedSource
from .torch_facts import (
    AXES,
    IN_PLACE,
    METHOD_OF,
    NO_TENSOR,
    OTHER_AXES,
    SIMILAR_FUNCTIONS,
    SYMMETRIC,
    TAKES_AXES,
    UNSEEN,
    called_name,
    has,
)

OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub, ast.Mult, ast.Div),
    ast.Sub: (ast.Add, ast.Mult, ast.Div),
    ast.Mult: (ast.Add, ast.Sub, ast.Div, ast.Pow),
    ast.Div: (ast.Mult, ast.Add, ast.Sub, ast.FloorDiv),
    ast.FloorDiv: (ast.Mod, ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv, ast.Mult),
    ast.Pow: (ast.Mult, ast.Div),
    ast.MatMult: (ast.Mult, ast.Add),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
}
COMMUTES = (ast.Add, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor)
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE, ast.NotEq),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE, ast.Eq),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE, ast.NotEq),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE, ast.Eq),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq, ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
BOUNDARIES = ({ast.Lt, ast.LtE}, {ast.Gt, ast.GtE})


def mutate_expression(source: ParsedSource, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The kinds of change of an expression, each with the expression to write in its place."""
    match node:
        case ast.Constant():
            yield from _other_constants(source, node)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            yield from _other_constants(source, node)
        case ast.UnaryOp():
            yield "sign", node.operand
            if isinstance(node.op, ast.Invert) and is_used_again(source, node.operand):
                yield "in place", _method_call(node.operand, "logical_not_")
        case ast.BinOp():
            for op in OPERATORS.get(type(node.op), ()):
                yield "operator", ast.BinOp(node.left, op(), node.right)
            if not isinstance(node.op, COMMUTES):
                yield "sides", ast.BinOp(node.right, node.op, node.left)
            yield "operand", node.left
            yield "operand", node.right
            if type(node.op) in METHOD_OF and is_used_again(source, node.left):
                yield "in place", _method_call(node.left, METHOD_OF[type(node.op)], node.right)
        case ast.BoolOp():
            other_operator = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and-or", ast.BoolOp(other_operator, node.values)
            for index in range(len(node.values)):
                others = without(node.values, index)
                yield "operand", others[0] if len(others) == 1 else ast.BoolOp(node.op, others)
        case ast.Compare():
            for index, old in enumerate(node.ops):
                for comparison in COMPARISONS[type(old)]:
                    ops = [*node.ops[:index], comparison(), *node.ops[index + 1 :]]
                    kind = "boundary" if {type(old), comparison} in BOUNDARIES else "comparison"
                    yield kind, ast.Compare(node.left, ops, node.comparators)
        case ast.IfExp():
            yield from _other_conditions(node)
        case ast.Call():
            yield from _other_calls(source, node)
        case ast.Subscript():
            yield from _other_subscripts(node)
        case ast.Name(ctx=ast.Load()):
            for name in other_names(source, node):
                yield "name", ast.Name(name, ast.Load())
        case ast.Attribute(ctx=ast.Load()):
            for name in other_attributes(source, node):
                yield "attribute", ast.Attribute(node.value, name, ast.Load())
        case ast.ListComp() | ast.GeneratorExp():
            yield from _other_comprehensions(node)
    yield from _cut_off(source, node)


def _other_constants(
    source: ParsedSource, node: ast.Constant | ast.UnaryOp
) -> Iterator[tuple[str, ast.expr]]:
    parent = source.parents[node][0]
    if isinstance(parent, ast.UnaryOp) and isinstance(node, ast.Constant):
        return  # changed together with its minus
    value = ast.literal_eval(node)
    if isinstance(value, bool):
        kind = "default" if isinstance(parent, ast.arguments) else "flag"
        yield kind, ast.Constant(not value)
    elif isinstance(value, int | float):
        kind, others = "constant", tuple[float, ...]()
        if _is_axis(source, node):
            kind, others = "axis", OTHER_AXES
        elif isinstance(value, int):
            others = (value + 1, value - 1, 0, 1, -value)
        else:
            others = (value / 2, value * 2, -value, 0.0, 1.0)
        if isinstance(parent, ast.arguments):
            kind = "default"
        for other in dict.fromkeys(others):
            if other != value:
                yield kind, _number(other)
    elif value in ("-inf", "inf"):
        yield "constant", ast.Constant({"-inf": "inf", "inf": "-inf"}[value])
        yield "constant", ast.Constant("nan")


def _is_axis(source: ParsedSource, node: ast.expr) -> bool:
    parent, name, _ = source.parents[node]
    if isinstance(parent, ast.keyword):
        return parent.arg in AXES
    if isinstance(parent, ast.Call):
        has_owner = isinstance(parent.func, ast.Attribute)  # max(x, 1) is Python's own
        return name == "args" and has_owner and called_name(parent) in TAKES_AXES
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.value, ast.Attribute) and parent.value.attr == "shape"
    return False


def _other_calls(source: ParsedSource, node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    func, args, keywords = node.func, node.args, node.keywords
    called = called_name(node)
    if called == "super":
        return
    owner = func.value if isinstance(func, ast.Attribute) else None
    receiver = owner if owner and not is_module(owner) else None
    if receiver:
        yield "call", receiver
    if args and not isinstance(args[0], ast.Starred | ast.Constant | ast.UnaryOp):
        yield "call", args[0]
    for index in range(len(args)):
        yield "argument", ast.Call(func, without(args, index), keywords)
    for index in range(len(args) - 1):
        if called not in SYMMETRIC and not (called in ("max", "min") and not owner):
            yield "arguments", ast.Call(func, swapped(args, index), keywords)
    for index, keyword in enumerate(keywords):
        if keyword.arg not in UNSEEN:
            yield "keyword", ast.Call(func, args, without(keywords, index))
    if called in TAKES_AXES and not args and not keywords and receiver and called != "size":
        for axis in OTHER_AXES:
            yield "axis-given", ast.Call(func, [_number(axis)], [])
    for function, similar in SIMILAR_FUNCTIONS:
        for old, new in ((function, similar), (similar, function)):
            if called == old and owner and has(owner, new):
                kind = "gradients" if called in ("no_grad", "enable_grad") else "function"
                yield kind, ast.Call(ast.Attribute(owner, new, ast.Load()), args, keywords)
    changed = receiver or (args[0] if args else None)
    is_seen = changed is not None and is_used_again(source, changed)
    if called in IN_PLACE and is_seen and owner and has(owner, f"{called}_"):
        changing = ast.Attribute(owner, f"{called}_", ast.Load())
        yield "in place", ast.Call(changing, args, keywords)
    if called == "range":
        yield from _other_ranges(node)


def _other_ranges(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    func, args, keywords = node.func, node.args, node.keywords
    last = args[1] if len(args) > 1 else args[0]
    for op in (ast.Add(), ast.Sub()):
        longer = ast.BinOp(last, op, ast.Constant(1))
        ends: list[ast.expr] = [args[0], longer, *args[2:]] if len(args) > 1 else [longer]
        yield "loop", ast.Call(func, ends, keywords)
    first = args[0] if len(args) > 1 else ast.Constant(0)
    later = ast.BinOp(first, ast.Add(), ast.Constant(1)) if len(args) > 1 else ast.Constant(1)
    yield "loop", ast.Call(func, [later, last, *args[2:]], keywords)


def _other_subscripts(node: ast.Subscript) -> Iterator[tuple[str, ast.expr]]:
    entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]

    def with_entries(new: list[ast.expr]) -> ast.Subscript:
        inner = new[0] if len(new) == 1 else ast.Tuple(new, ast.Load())
        return ast.Subscript(node.value, inner, node.ctx)

    if len(entries) > 1:
        for index in range(len(entries) - 1):
            yield "index", with_entries(swapped(entries, index))
        for index, entry in enumerate(entries):
            is_last = index + 1 == len(entries)
            if not (is_last and ast.unparse(entry) == ":"):  # x[..., :] is x[...]
                yield "index", with_entries(without(entries, index))
    elif isinstance(node.ctx, ast.Load):
        yield "no-index", node.value
    for index, entry in enumerate(entries):
        if isinstance(entry, ast.Slice):
            for other_slice in _other_slices(entry):
                yield "slice", with_entries([*entries[:index], other_slice, *entries[index + 1 :]])


def _other_slices(node: ast.Slice) -> Iterator[ast.Slice]:
    lower, upper, step = node.lower, node.upper, node.step
    one_step = ast.Constant(1)

    def shifted(bound: ast.expr) -> list[ast.expr]:
        try:
            value = ast.literal_eval(bound)
        except ValueError:
            return [ast.BinOp(bound, op, one_step) for op in (ast.Add(), ast.Sub())]
        return [_number(value + 1), _number(value - 1)] if isinstance(value, int) else []

    if lower:
        if ast.unparse(lower) != "0":
            yield ast.Slice(None, upper, step)
        yield from (ast.Slice(bound, upper, step) for bound in shifted(lower))
    if upper:
        yield ast.Slice(lower, None, step)
        yield from (ast.Slice(lower, bound, step) for bound in shifted(upper))
    if step:
        yield ast.Slice(lower, upper, None)
    if lower and not upper:
        yield ast.Slice(None, lower, step)
    if upper and not lower:
        yield ast.Slice(upper, None, step)
    if not lower and not upper and not step:
        yield ast.Slice(one_step, None, None)
        yield ast.Slice(None, ast.UnaryOp(ast.USub(), one_step), None)


def _other_conditions(node: ast.IfExp) -> Iterator[tuple[str, ast.expr]]:
    yield "condition", node.body
    yield "condition", node.orelse
    yield "condition", ast.IfExp(node.test, node.orelse, node.body)


def _other_comprehensions(node: ast.ListComp | ast.GeneratorExp) -> Iterator[tuple[str, ast.expr]]:
    first = node.generators[0]
    for index in range(len(first.ifs)):
        fewer = ast.comprehension(first.target, first.iter, without(first.ifs, index), 0)
        yield "condition", type(node)(node.elt, [fewer, *node.generators[1:]])
    target = first.target.id if isinstance(first.target, ast.Name) else ""
    is_used = any(isinstance(part, ast.Name) and part.id == target for part in ast.walk(node.elt))
    match first.iter:
        case ast.Call(ast.Name("range"), [*_, stop]) if target and not is_used and not first.ifs:
            once = ast.List([node.elt], ast.Load())
            yield "shared", ast.BinOp(once, ast.Mult(), stop)


def _cut_off(source: ParsedSource, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Detach a value that is assigned or returned, which cuts off its gradient."""
    parent, name, _ = source.parents[node]
    if isinstance(parent, ast.Tuple):
        parent, name, _ = source.parents[parent]
    is_whole_value = isinstance(parent, ast.Assign | ast.Return) and name == "value"
    could_be_tensor = isinstance(node, ast.BinOp | ast.Call | ast.Name | ast.Subscript)
    if not is_whole_value or records_no_gradient(source, node):
        return
    if could_be_tensor and called_name(node) not in NO_TENSOR:
        yield "detached", _method_call(node, "detach")


def _method_call(node: ast.expr, name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(node, name, ast.Load()), list(args), [])


def _number(value: float) -> ast.expr:
    """The number as the parser has it, with a minus as an operator."""
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def without(items: list[Any], index: int) -> list[Any]:
    """The items but for one."""
    return items[:index] + items[index + 1 :]


def swapped(items: list[Any], index: int) -> list[Any]:
    """The items, one of them and the next in the other order."""
    return [*items[:index], items[index + 1], items[index], *items[index + 2 :]]
