"""Rules for candidates alone: they add what an answer may lack, or move or remove what it has.

The rules of `mistakes_in_*` serve candidates too: the inverse of a mistake is mostly a mistake as
well.
"""

import ast
from collections.abc import Callable, Iterator

from ...shared.syntax import parse_expression
from ..scopes import names_before, other_attributes, other_names
from ..source import ParsedSource
from ..torch_facts import TAKES_AXES, called_name, is_module

MANY = 20  # other names tried at one place

OPERAND = ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.BinOp | ast.Compare
NUMBER = ast.Name | ast.Attribute | ast.Subscript  # what may be a plain number
NEW_TENSORS = ("ones", "zeros", "rand", "randn", "empty")
ACTIVATIONS = ("relu", "gelu", "silu", "sigmoid", "tanh", "softplus", "softmax")
PYTHON_FUNCTIONS = ("sum", "max", "min", "len", "math.prod")
REDUCES = {"sum", "mean", "max", "min", "amax", "amin", "var", "std", "norm", "all", "any"}

# What may be missing, by its kind; X is the expression as it stands.
STEPS = {
    "square": ("X ** 2",),
    "root": ("X.sqrt()", "math.sqrt(X)"),
    "minus": ("-X",),
    "opposite": ("~X", "not X"),
    "reciprocal": ("1 / X",),
    "complement": ("1 - X",),
    "one": ("X + 1",),
    "one-less": ("X - 1",),
    "transposed": ("X.transpose(-2, -1)", "X.transpose(1, 2)"),
    "copy": ("X.clone()",),
    "normalized": ("X / X.sum(-1, keepdim=True)", "X / X.sum()"),
    "unsqueezed": ("X.unsqueeze(-1)", "X.unsqueeze(-2)", "X.unsqueeze(1)"),
}
_KEYWORDS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "keepdim": ("True", lambda called: called in REDUCES),
    "dim": ("-1", lambda called: called in TAKES_AXES),
    "correction": ("0", lambda called: called in ("var", "std")),
    "training": ("self.training", lambda called: called == "dropout"),
}


def add_to_expression(source: ParsedSource, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The kinds of change of an expression, each with the expression to write in its place."""
    match node:
        case ast.Name(ctx=ast.Load()):
            for name in other_names(source, node, MANY):
                yield "name", ast.Name(name, ast.Load())
            if isinstance(source.parents[node][0], ast.keyword | ast.Call | ast.BinOp):
                yield from (("constant", ast.Constant(number)) for number in (0, 1))
        case ast.Attribute(ctx=ast.Load()):
            for name in other_attributes(source, node, MANY):
                yield "attribute", ast.Attribute(node.value, name, ast.Load())
        case ast.Constant(int() | float()) if not isinstance(node.value, bool):
            if not isinstance(source.parents[node][0], ast.arguments):
                for name in names_before(source, node)[:MANY]:
                    yield "variable", parse_expression(name)
        case ast.BinOp():
            for regrouped in _regrouped(node):
                yield "grouping", regrouped
        case ast.Call():
            yield from _other_calls(node)
    if _may_lack_a_step(source, node):
        left_out = _left_out(source, node)
        for step, patterns in STEPS.items():
            for pattern in patterns:
                if pattern not in left_out:
                    yield step, _filled(pattern, node)


def _filled(pattern: str, value: ast.expr) -> ast.expr:
    """A pattern such as "X + 1" as an expression, with `value` for X."""
    filled: ast.expr = _Filling(value).visit(parse_expression(pattern))
    return filled


class _Filling(ast.NodeTransformer):
    def __init__(self, value: ast.expr):
        self._value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._value if node.id == "X" else node


def _left_out(source: ParsedSource, node: ast.expr) -> set[str]:
    """The steps that make no sense for an expression: `~` of a condition is never false."""
    parent, name, _index = source.parents[node]
    is_condition = isinstance(parent, ast.BoolOp) or name in ("test", "ifs")
    left_out = {"~X"} if is_condition else set()
    if isinstance(node, ast.Compare):  # it is no number
        left_out |= {pattern for step in STEPS.values() for pattern in step} - {"~X", "not X"}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        left_out |= {"~X", "not X"}
        if all(isinstance(argument, ast.Constant) for argument in node.args):  # float("-inf")
            left_out |= {pattern for step in STEPS.values() for pattern in step}
    return left_out if isinstance(node, NUMBER) else left_out | {"math.sqrt(X)"}


def add_to_statement(source: ParsedSource, node: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The kinds of change of a statement's whole block, each with the block's new statements."""
    parent, name, index = source.parents[node]
    if index is None:
        return
    block: list[ast.stmt] = getattr(parent, name)
    if isinstance(parent, ast.Module):
        return
    if isinstance(node, ast.AugAssign):
        loaded = parse_expression(ast.unparse(node.target))
        value = ast.BinOp(loaded, node.op, node.value)
        new = ast.Assign([node.target], value, lineno=node.lineno)
        yield "new-object", [*block[:index], new, *block[index + 1 :]]
    others = [*block[:index], *block[index + 1 :]]
    for place in range(len(block)):
        if abs(place - index) > 1:  # neighbors are swapped by the rules of mutants
            yield "moved", [*others[:place], node, *others[place:]]


def _may_lack_a_step(source: ParsedSource, node: ast.expr) -> bool:
    parent, name, _index = source.parents[node]
    if not isinstance(node, OPERAND) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return False
    if isinstance(node, ast.Name | ast.Attribute) and (is_module(node) or _is_self(node)):
        return False
    is_called = isinstance(parent, ast.Call) and name == "func"
    return not (is_called or isinstance(parent, ast.Attribute | ast.Expr | ast.arguments))


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _regrouped(node: ast.BinOp) -> Iterator[ast.expr]:
    """The same operands and operators with other parentheses."""
    yield from _taken_in(node.left, node.op, node.right)
    yield from _into_call(node.right, lambda inner: ast.BinOp(node.left, node.op, inner))
    if isinstance(node.right, ast.BinOp):
        right = node.right
        yield ast.BinOp(ast.BinOp(node.left, node.op, right.left), right.op, right.right)


def _taken_in(left: ast.expr, op: ast.operator, right: ast.expr) -> Iterator[ast.expr]:
    """The right operand moves into the last operand on the left, at each depth.

    (a - b) + c becomes a - (b + c), and a / f(b) + c becomes a / f(b + c).
    """
    if isinstance(left, ast.BinOp):
        yield ast.BinOp(left.left, left.op, ast.BinOp(left.right, op, right))
        for deeper in _taken_in(left.right, op, right):
            yield ast.BinOp(left.left, left.op, deeper)
    yield from _into_call(left, lambda inner: ast.BinOp(inner, op, right))


def _into_call(node: ast.expr, join: Callable[[ast.expr], ast.expr]) -> Iterator[ast.expr]:
    """f(a) becomes f(join(a)), and a.f() becomes join(a).f()."""
    match node:
        case ast.Call(func, [ast.Name() | ast.BinOp() | ast.Call() as first, *more], keywords):
            yield ast.Call(func, [join(first), *more], keywords)
    match node:
        case ast.Call(ast.Attribute(owner, name), args, keywords) if not is_module(owner):
            yield ast.Call(ast.Attribute(join(owner), name, ast.Load()), args, keywords)


def _other_calls(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    func, args, keywords = node.func, node.args, node.keywords
    called = called_name(node)
    inner = func.value if isinstance(func, ast.Attribute) else None
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):  # x.f().g()
        first = ast.Attribute(inner.func.value, called, ast.Load())
        then = ast.Attribute(ast.Call(first, args, keywords), inner.func.attr, ast.Load())
        yield "steps", ast.Call(then, inner.args, inner.keywords)
    if isinstance(inner, ast.Call) and not args and not keywords:  # f(a, b).g()
        for index, argument in enumerate(inner.args):
            if isinstance(argument, OPERAND):
                inner_call = ast.Call(ast.Attribute(argument, called, ast.Load()), [], [])
                changed = [*inner.args[:index], inner_call, *inner.args[index + 1 :]]
                yield "steps", ast.Call(inner.func, changed, inner.keywords)
    match args:
        case [ast.Call(args=[operand, *other_arguments]) as inside, *more]:  # f(g(x))
            within = ast.Call(func, [operand, *more], keywords)
            yield "steps", ast.Call(inside.func, [within, *other_arguments], inside.keywords)
        case [ast.BinOp() as sum_, *more]:  # f(a + b)
            of_one_side = ast.Call(func, [sum_.left, *more], keywords)
            yield "grouping", ast.BinOp(of_one_side, sum_.op, sum_.right)
            of_one_side = ast.Call(func, [sum_.right, *more], keywords)
            yield "grouping", ast.BinOp(sum_.left, sum_.op, of_one_side)
    if isinstance(inner, ast.BinOp):  # (a + b).f()
        for left in (True, False):
            side = inner.left if left else inner.right
            of_one_side = ast.Call(ast.Attribute(side, called, ast.Load()), args, keywords)
            pair = (of_one_side, inner.right) if left else (inner.left, of_one_side)
            yield "grouping", ast.BinOp(pair[0], inner.op, pair[1])
    for family in (NEW_TENSORS, ACTIVATIONS):
        if called in family and isinstance(func, ast.Attribute):
            for name in family:
                new = ast.Attribute(func.value, name, ast.Load())
                yield "function", ast.Call(new, args, keywords)
    if isinstance(func, ast.Name) and called in PYTHON_FUNCTIONS:
        for name in PYTHON_FUNCTIONS:
            yield "function", ast.Call(parse_expression(name), args, keywords)
    named = {keyword.arg for keyword in keywords}
    for name, (value, fits) in _KEYWORDS.items():
        if name not in named and fits(called):
            added = ast.keyword(name, parse_expression(value))
            yield name, ast.Call(func, args, [*keywords, added])
    if isinstance(func, ast.Attribute) and func.attr.endswith("_") and func.attr[-2:-1] != "_":
        new = ast.Attribute(func.value, func.attr[:-1], ast.Load())
        yield "new-object", ast.Call(new, args, keywords)
