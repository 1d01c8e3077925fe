"""Tries edits of a single line: the one that assigned the first wrong value.

The line is evaluated again with the values that its names had when it ran, without the rest of the
component. That is fast enough to try more than in other lines: substitutes of any kind for an
expression, and two edits at once.
"""

import ast
import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import FrameType
from typing import Any

import torch

from ..edits.candidates import is_left_alone, quotable, rewrite_expression
from ..edits.edit import EDIT_KINDS, Edit
from ..edits.rules.repairs_by_substitution import substitute_expression
from ..edits.source import FUNCTIONS, ParsedSource
from ..traces.divergence import FirstDivergence
from ..traces.values import Incomparable, TracedValue, are_alike, snapshot

MOST_PAIRS = 8  # of edits that are right in one case, to be tried in all cases
_Statement = ast.Assign | ast.AugAssign | ast.Return
_Rules = Callable[[ParsedSource, ast.expr], Iterable[tuple[str, ast.expr]]]


class Reached(BaseException):
    """The line has been reached: the rest of the case need not run."""


class Line:
    """A line of a source, and the frame in which it gives the wrong value.

    `number` is that of its statement, among all of the source.
    """

    def __init__(self, source: ParsedSource, wrong: FirstDivergence, number: int, frame: FrameType):
        self._source, self._wrong, self._number = source, wrong, number
        self._globals, self._locals = frame.f_globals, dict(frame.f_locals)

    def gives(self, expected: TracedValue) -> bool:
        """Whether the unchanged line gives this value."""
        return self._gives(expected, _statement(self._source, self._number))

    def fixes(self, until: float) -> Iterator[Edit]:
        """The edits of one expression with which the line gives the right value.

        This and `fixes_of_two` stop searching at the time `until`, of time.monotonic.
        """
        for rules in (rewrite_expression, substitute_expression):
            edits = self._right_edits(self._source, rules, until)
            yield from sorted(edits, key=lambda one: one.tier)

    def fixes_of_two(self, until: float, only_likeliest: bool) -> Iterator[tuple[Edit, Edit]]:
        """The pairs of edits with which it does; with `only_likeliest`, of the likeliest kinds."""
        rules = _likeliest if only_likeliest else _likely
        pairs = islice(self._right_pairs(rules, until), MOST_PAIRS)
        yield from sorted(pairs, key=lambda two: two[0].tier + two[1].tier)

    def _right_pairs(self, rules: _Rules, until: float) -> Iterator[tuple[Edit, Edit]]:
        own = {
            ast.unparse(node): self._source.segment(node)
            for node in ast.walk(_statement(self._source, self._number))
            if isinstance(node, ast.expr)
        }
        for node, kind, new in self._changes(self._source, rules, until):
            text = self._source.unparsed(node, new)
            step = self._edit(kind, self._source.segment(node), text)
            for other in self._right_edits(ParsedSource(text), rules, until):
                old = own.get(other.old, "")
                yield step, self._edit(other.kind, old, other.source)

    def _right_edits(self, source: ParsedSource, rules: _Rules, until: float) -> Iterator[Edit]:
        statement, expected = _statement(source, self._number), self._wrong.expected
        for node, kind, new in self._changes(source, rules, until):
            with source.replaced(node, new):
                text = ast.unparse(source.tree) if self._gives(expected, statement) else ""
            if text:
                yield self._edit(kind, source.segment(node), text)

    def _changes(
        self, source: ParsedSource, rules: _Rules, until: float
    ) -> Iterator[tuple[ast.expr, str, ast.expr]]:
        for node in ast.walk(_statement(source, self._number)):
            if isinstance(node, ast.expr) and not is_left_alone(source, node):
                for kind, new in rules(source, node):
                    if time.monotonic() > until:
                        return
                    yield node, kind, new

    def _edit(self, kind: str, old: str, text: str) -> Edit:
        return Edit(kind, self._wrong.line, quotable(old), text)

    def _gives(self, expected: TracedValue, statement: _Statement) -> bool:
        try:
            with torch.no_grad():
                return are_alike(snapshot(self._value(statement)), expected)
        except (Exception, Incomparable):
            return False

    def _value(self, statement: _Statement) -> Any:
        # A comprehension sees globals alone; a changed line may change tensors in place.
        own = {name: _copied(value) for name, value in self._locals.items()}
        scope = {**self._globals, **own}
        match statement:
            case ast.AugAssign(target=ast.Name(name), op=op, value=value):
                return _evaluated(ast.BinOp(ast.Name(name, ast.Load()), op, value), scope)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(name))]):
                module = ast.Module([statement], [])
                exec(compile(ast.fix_missing_locations(module), "", "exec"), scope)
                return scope[name]
            case ast.Assign(targets=[target], value=value):
                return _part(target, _evaluated(value, scope), self._wrong.own or self._wrong.name)
            case ast.Return(value=ast.expr() as value):
                return _evaluated(value, scope)
        raise Incomparable


def at_line(
    text: str,
    wrong: FirstDivergence,
    run: Callable[[], Any],
    file: str,
    look: Callable[[Line], None],
) -> None:
    """Run a case, and call `look` when the line of a wrong value gives that value.

    `file` is the name that the source is compiled with. `look` is not called for a line that gives
    another value when it is evaluated again.
    """
    source = ParsedSource(text)
    numbers = [
        number
        for number, node in enumerate(_statements(source))
        if isinstance(node, _Statement)
        and source.code(node.lineno) == wrong.line
        and _function(source, node) == wrong.function
    ]
    if len(numbers) != 1:
        return
    first_line = _statement(source, numbers[0]).lineno

    def on_line(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        if event == "line" and frame.f_lineno == first_line:
            line = Line(source, wrong, numbers[0], frame)
            if line.gives(wrong.actual) and line.gives(wrong.actual):
                look(line)
                raise Reached
        return on_line

    def on_call(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        return on_line if frame.f_code.co_filename == file else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        with contextlib.suppress(Exception, SystemExit, Reached):
            run()
    finally:
        sys.settrace(before)


def _statements(source: ParsedSource) -> list[ast.stmt]:
    return [node for node in ast.walk(source.tree) if isinstance(node, ast.stmt)]


def _statement(source: ParsedSource, number: int) -> Any:
    return _statements(source)[number]


def _function(source: ParsedSource, node: ast.AST) -> str:
    around = (outer for outer in source.around(node) if isinstance(outer, FUNCTIONS))
    return getattr(next(around, None), "name", "")


def _likeliest(source: ParsedSource, node: ast.expr) -> list[tuple[str, ast.expr]]:
    return [
        change for change in rewrite_expression(source, node) if EDIT_KINDS[change[0]].tier == 0
    ]


def _likely(source: ParsedSource, node: ast.expr) -> list[tuple[str, ast.expr]]:
    changes = [
        change for change in rewrite_expression(source, node) if EDIT_KINDS[change[0]].tier < 2
    ]
    return [*changes, *substitute_expression(source, node)]


def _copied(value: Any) -> Any:
    return value.detach().clone() if type(value) is torch.Tensor else value


def _evaluated(expression: ast.expr, scope: dict[str, Any]) -> Any:
    tree = ast.fix_missing_locations(ast.Expression(expression))
    return eval(compile(tree, "", "eval"), scope)


def _part(target: ast.expr, value: Any, name: str) -> Any:
    """The part of `value` that a target assigns to `name`. Raises Incomparable if there is none."""
    if isinstance(target, ast.Tuple | ast.List):
        for one, part in zip(target.elts, value, strict=True):
            with contextlib.suppress(Incomparable):
                return _part(one, part, name)
    elif ast.unparse(target) == name:
        return value
    raise Incomparable
