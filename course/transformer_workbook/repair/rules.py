"""The changes that only a repair makes: what may be missing, misplaced or one too many.

All others are those of `mutants`: the inverse of a mistake is, as a rule, a mistake as well.
"""

import ast
import copy
from collections.abc import Callable, Iterator

from ..mutants.scopes import other_attributes, other_names
from ..mutants.source import Source
from ..mutants.torch_facts import TAKES_AXES, called_name, is_module
from ..shared.syntax import parse_expression
from .inline import put

MANY = 20  # other names tried at one place

OPERAND = ast.Name | ast.Call | ast.Attribute | ast.Subscript | ast.BinOp | ast.Compare
NUMBER = ast.Name | ast.Attribute | ast.Subscript  # what may be a plain number
REDUCES = {"sum", "mean", "max", "min", "amax", "amin", "var", "std", "norm", "all", "any"}

# What may be missing, by what `words` calls it; X is the expression as it stands.
STEPS = {
    "square": ("X ** 2",),
    "root": ("X.sqrt()", "math.sqrt(X)"),
    "minus": ("-X",),
    "opposite": ("~X", "not X"),
    "reciprocal": ("1 / X", "1 - X"),
    "one": ("X + 1", "X - 1"),
    "transposed": ("X.transpose(-2, -1)", "X.transpose(1, 2)"),
    "copy": ("X.clone()",),
    "unsqueezed": ("X.unsqueeze(-1)", "X.unsqueeze(-2)", "X.unsqueeze(1)"),
}
_PARSED = {step: [parse_expression(text) for text in texts] for step, texts in STEPS.items()}
_ROOT_OF_A_NUMBER = _PARSED["root"][1]
_KEYWORDS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "keepdim": ("True", lambda called: called in REDUCES),
    "dim": ("-1", lambda called: called in TAKES_AXES),
    "correction": ("0", lambda called: called in ("var", "std")),
    "training": ("self.training", lambda called: called == "dropout"),
}


def of_expression(source: Source, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The kinds of change of an expression, each with the expression to write in its place."""
    match node:
        case ast.Name(ctx=ast.Load()):
            for name in other_names(source, node, MANY):
                yield "name", ast.Name(name, ast.Load())
        case ast.Attribute(ctx=ast.Load()):
            for name in other_attributes(source, node, MANY):
                yield "attribute", ast.Attribute(node.value, name, ast.Load())
        case ast.BinOp():
            for other in _regrouped(node):
                yield "grouping", other
        case ast.Call():
            yield from _other_calls(node)
    if _may_lack_a_step(source, node):
        for step, patterns in _PARSED.items():
            for pattern in patterns:
                if pattern is not _ROOT_OF_A_NUMBER or isinstance(node, NUMBER):
                    filled = copy.deepcopy(pattern)
                    put(filled, "X", node)
                    yield step, filled


def of_statement(source: Source, node: ast.stmt) -> Iterator[tuple[str, list[ast.stmt]]]:
    """The kinds of change of a statement's whole block, each with the block's new statements."""
    parent, name, index = source.parents[node]
    if index is None or isinstance(parent, ast.Module):
        return
    block: list[ast.stmt] = getattr(parent, name)
    if isinstance(node, ast.AugAssign):
        loaded = ast.parse(ast.unparse(node.target), mode="eval").body
        value = ast.BinOp(loaded, node.op, node.value)
        anew = ast.Assign([node.target], value, lineno=node.lineno)
        yield "anew", [*block[:index], anew, *block[index + 1 :]]
    rest = [*block[:index], *block[index + 1 :]]
    for place in range(len(block)):
        if abs(place - index) > 1:  # neighbours are exchanged by the rules of mutants
            yield "moved", [*rest[:place], node, *rest[place:]]


def _may_lack_a_step(source: Source, node: ast.expr) -> bool:
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
    """What stands right of an operator goes into the last operand on its left, at each depth.

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
        case ast.Call(func, [ast.Name() | ast.BinOp() | ast.Call() as first, *rest], keywords):
            yield ast.Call(func, [join(first), *rest], keywords)
    match node:
        case ast.Call(ast.Attribute(owner, name), args, keywords) if not is_module(owner):
            yield ast.Call(ast.Attribute(join(owner), name, ast.Load()), args, keywords)


def _other_calls(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    func, args, keywords = node.func, node.args, node.keywords
    called = called_name(node)
    inner = func.value if isinstance(func, ast.Attribute) else None
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):  # x.f().g()
        first = ast.Attribute(inner.func.value, func.attr, ast.Load())
        then = ast.Attribute(ast.Call(first, args, keywords), inner.func.attr, ast.Load())
        yield "steps", ast.Call(then, inner.args, inner.keywords)
    if isinstance(inner, ast.Call) and not args and not keywords:  # f(a, b).g()
        for index, given in enumerate(inner.args):
            if isinstance(given, OPERAND):
                one = ast.Call(ast.Attribute(given, called, ast.Load()), [], [])
                changed = [*inner.args[:index], one, *inner.args[index + 1 :]]
                yield "steps", ast.Call(inner.func, changed, inner.keywords)
    match args:
        case [ast.Call(args=[first, *others]) as inside, *rest]:  # f(g(x))
            within = ast.Call(func, [first, *rest], keywords)
            yield "steps", ast.Call(inside.func, [within, *others], inside.keywords)
        case [ast.BinOp() as sum_, *rest]:  # f(a + b)
            one = ast.Call(func, [sum_.left, *rest], keywords)
            yield "grouping", ast.BinOp(one, sum_.op, sum_.right)
            one = ast.Call(func, [sum_.right, *rest], keywords)
            yield "grouping", ast.BinOp(sum_.left, sum_.op, one)
    if isinstance(inner, ast.BinOp):  # (a + b).f()
        for left in (True, False):
            side = inner.left if left else inner.right
            one = ast.Call(ast.Attribute(side, called, ast.Load()), args, keywords)
            pair = (one, inner.right) if left else (inner.left, one)
            yield "grouping", ast.BinOp(pair[0], inner.op, pair[1])
    given = {keyword.arg for keyword in keywords}
    for name, (value, fits) in _KEYWORDS.items():
        if name not in given and fits(called):
            added = ast.keyword(name, parse_expression(value))
            yield name, ast.Call(func, args, [*keywords, added])
    if isinstance(func, ast.Attribute) and func.attr.endswith("_") and func.attr[-2:-1] != "_":
        anew = ast.Attribute(func.value, func.attr[:-1], ast.Load())
        yield "anew", ast.Call(anew, args, keywords)
