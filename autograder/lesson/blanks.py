"""Blanks: their addresses in the reference code, and filling them.

An address is `qualname:target:expression`: within the function or class `qualname`, the statement
that defines `target`, and in it the expression that the student is to write. The reference itself
has no marks. A typo in an address is an error.
"""

import ast
import re
from dataclasses import dataclass

from autograder.errors import AuthoringError
from autograder.language import _, ngettext
from transformer_workbook.shared.syntax import parse, parse_expression

MARK = "____"


@dataclass(frozen=True)
class Span:
    """A piece of a text, from character `start` up to `end`."""

    start: int
    end: int


def locate(source: str, address: str) -> Span:
    """Find the expression that `address` names in `source`.

    The target is what is assigned (`scores`, `self.w_q`, `x[:, 0::2]`; the n-th such statement
    as `scores#2`), or `return`, `raise`, `if`, `while`, `for` or `call` for statements that
    assign nothing. Without an expression, the whole value is meant. Raises AuthoringError when
    nothing matches, or more than one place does.
    """
    # A target such as `encoding[:, 0::2]` has colons of its own, within brackets.
    parts = re.fullmatch(r"([^:]*):?((?:\[[^]]*\]|[^:\[])*):?(.*)", address, re.DOTALL)
    qualname, target, expression = parts.groups() if parts else ("", "", "")
    if not qualname or not target:
        raise AuthoringError(
            _("address {address!r}: expected 'function:variable:expression', such as "
              "'scaled_dot_product_attention:scores:math.sqrt(d_k)'"),
            address=address,
        )  # fmt: skip
    scope = _scope(parse(source), qualname, address)
    values = candidates = _values_of(scope, target, address)
    if expression:
        wanted = _normal(expression, address)
        values = [node for value in candidates for node in _expressions(value, wanted)]
    if len(values) != 1:
        wanted_text = expression or target
        there = "; ".join(f"`{ast.unparse(value)}`" for value in candidates)
        message = _("address {address!r}: {what!r} is not there, but {there}")
        if values:
            message = _("address {address!r}: {what!r} is there {count} times: {there}")
        message = message.format(address=address, what=wanted_text, count=len(values), there=there)
        raise AuthoringError(message)
    return _span(source, values[0])


def _scope(tree: ast.Module, qualname: str, address: str) -> ast.AST:
    node: ast.AST = tree
    for part in qualname.split("."):
        inner = [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.FunctionDef | ast.ClassDef) and child.name == part
        ]
        if len(inner) != 1:
            there = [
                child.name
                for child in ast.iter_child_nodes(node)
                if isinstance(child, ast.FunctionDef | ast.ClassDef)
            ]
            raise AuthoringError(
                _("address {address!r}: there is no {part!r} in the component; there is {there}"),
                address=address, part=part, there=", ".join(there) or _("nothing"),
            )  # fmt: skip
        node = inner[0]
    return node


def _values_of(scope: ast.AST, target: str, address: str) -> list[ast.expr]:
    name, _mark, place = target.partition("#")
    statements = [
        (node.lineno, value)
        for node in ast.walk(scope)
        if isinstance(node, ast.stmt)
        for value in _defines(node, name)
    ]
    values = [value for _line, value in sorted(statements, key=lambda pair: pair[0])]
    if not values:
        there = (
            ast.unparse(child).strip("()")
            for node in ast.walk(scope)
            for child in getattr(node, "targets", [getattr(node, "target", None)])
            if isinstance(node, ast.stmt) and isinstance(child, ast.expr)
        )
        raise AuthoringError(
            _("address {address!r}: nothing defines {name!r}; defined are {there}"),
            address=address, name=name, there=", ".join(dict.fromkeys(there)) or _("no variables"),
        )  # fmt: skip
    if not place:
        return values
    if not place.isdigit() or not 1 <= int(place) <= len(values):
        message = ngettext(
            "address {address!r}: {name!r} is defined {count} time",
            "address {address!r}: {name!r} is defined {count} times",
            len(values),
        )
        raise AuthoringError(message.format(address=address, name=name, count=len(values)))
    return [values[int(place) - 1]]


def _defines(node: ast.stmt, name: str) -> list[ast.expr]:
    match node:
        case ast.Assign():
            targets = [ast.unparse(target).strip("()") for target in node.targets]
            return [node.value] if name in targets else []
        case ast.AugAssign() | ast.AnnAssign() if node.value is not None:
            return [node.value] if name == ast.unparse(node.target) else []
        case ast.Return() if node.value is not None:
            return [node.value] if name == "return" else []
        case ast.Raise() if node.exc is not None:
            return [node.exc] if name == "raise" else []
        case ast.If() | ast.While():
            return [node.test] if name == type(node).__name__.lower() else []
        case ast.For():
            return [node.iter] if name == "for" else []
        case ast.Expr() if not isinstance(node.value, ast.Constant):
            return [node.value] if name == "call" else []
    return []


def _normal(expression: str, address: str) -> str:
    try:
        return ast.dump(parse_expression(expression.strip()))
    except SyntaxError as error:
        raise AuthoringError(
            _("address {address!r}: {expression!r} is no expression"),
            address=address,
            expression=expression,
        ) from error


def _expressions(value: ast.expr, wanted: str) -> list[ast.expr]:
    return [
        node for node in ast.walk(value) if isinstance(node, ast.expr) and ast.dump(node) == wanted
    ]


def _span(source: str, node: ast.expr) -> Span:
    lines = source.splitlines(keepends=True)

    def position(line: int | None, column: int | None) -> int:
        assert line is not None  # it was parsed from a text
        before = sum(len(text) for text in lines[: line - 1])
        # ast counts columns in UTF-8 bytes.
        return before + len(lines[line - 1].encode()[:column].decode())

    return Span(
        position(node.lineno, node.col_offset), position(node.end_lineno, node.end_col_offset)
    )


def fill(source: str, fillings: list[tuple[Span, str]]) -> str:
    """Replace each span of `source` by its text."""
    for span, text in sorted(fillings, key=lambda pair: pair[0].start, reverse=True):
        source = source[: span.start] + text + source[span.end :]
    return source


def change(source: str, changes: dict[str, str], where: str) -> str:
    """Replace each key of `changes`, which must stand in `source` exactly once, by its value."""
    for old, new in changes.items():
        if source.count(old) != 1:
            raise AuthoringError(
                _("{where}: {old!r} stands {count} times in the component, expected 1"),
                where=where, old=old, count=source.count(old),
            )  # fmt: skip
        source = source.replace(old, new)
    return source


def with_names(released: str, names: list[str]) -> str:
    """A released text with the names of its blanks, in the order of the code, in comments.

    What a line assigns names its blank already where the names agree. Where one of the blanks in a
    line is not named so, the comment has all of them, in their order.
    """
    remaining = list(names)
    lines = []
    for line in released.split("\n"):
        here, remaining = remaining[: line.count(MARK)], remaining[line.count(MARK) :]
        target = re.match(r"(.*?) [-+*/]?= ", line)
        named = set(re.findall(r"\w+", target[1])) if target else set()
        if not named.issuperset(here):
            label = "blank" if len(here) == 1 else "blanks"
            line += ("; " if "  # " in line else "  # ") + f"{label}: {', '.join(here)}"
        lines.append(line)
    return "\n".join(lines)
