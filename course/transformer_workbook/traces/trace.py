"""Watches the values that the variables of a component's code take while it runs."""

import ast
import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import FrameType
from typing import Any

from ..shared.syntax import parse
from .values import Incomparable, TracedValue, snapshot

MOST_VALUES = 80  # values of one case: loops may have thousands
MOST_LINES = 20_000  # that run in one case: more is an endless loop
RESULT = "return"
IN_PART = "[]"  # ends the name of a variable that is changed in place, whole or in part


@dataclass(frozen=True)
class Assigned:
    """A value that a variable took, and the line of the statement that assigned it.

    The variable is named with its function, "LayerNorm.forward variance"; "LayerNorm.forward
    return" is what the function returned.
    """

    variable: str
    line: int
    value: TracedValue

    @property
    def function(self) -> str:
        return self.variable.partition(" ")[0]

    @property
    def name(self) -> str:
        return name_of(self.variable)


def name_of(variable: str) -> str:
    """The variable as its function names it."""
    return variable.partition(" ")[2].removesuffix(IN_PART)


@dataclass(frozen=True)
class _Statement:
    """The first line of a statement, the names that it assigns, the lines of its body."""

    line: int
    names: tuple[str, ...]
    body: range

    def has_ended(self, event: str, next_line: int, others: Mapping[int, "_Statement"]) -> bool:
        """Whether it has run when an event occurs; the head of a loop has once its body begins."""
        if self.body:
            return event == "line" and next_line in self.body
        return event == "return" or (
            event == "line" and others.get(next_line, _NOTHING).line != self.line
        )


_NOTHING = _Statement(0, (), range(0))


class Endless(BaseException):
    """Traced code has run more than MOST_LINES lines."""


@contextlib.contextmanager
def traced(text: str, file: str) -> Iterator[list[Assigned]]:
    """While this lasts, record the values that variables take in `text`, compiled as `file`.

    That code raises Endless once it has run too many lines.
    """
    bound: list[Assigned] = []
    binds = _binds_by_line(text)
    left = MOST_LINES
    is_over = False  # after an exception, values cannot be compared turn by turn

    def on_call(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        if code.co_filename != file or code.co_name.startswith("<"):
            return None
        function = code.co_qualname.replace("<locals>.", "")
        at = 0  # the line that runs
        raised = False

        def on_line(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
            nonlocal at, left, raised, is_over
            if event == "exception":
                raised = True
                return on_line
            left -= 1
            if left < 0:
                raise Endless
            if event == "return" and raised:
                is_over = True
            ran = binds.get(at, _NOTHING)
            if ran.has_ended(event, frame.f_lineno, binds):
                for name in ran.names:
                    add(f"{function} {name}", ran.line, _look_up(frame, name))
            if event == "return" and argument is not None:
                add(f"{function} {RESULT}", ran.line or at, argument)
            raised = False
            at = frame.f_lineno
            return on_line

        return on_line

    def add(variable: str, line: int, value: Any) -> None:
        with contextlib.suppress(Incomparable, RuntimeError):
            if value is not None and len(bound) < MOST_VALUES and not is_over:
                bound.append(Assigned(variable, line, snapshot(value)))

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        yield bound
    finally:
        sys.settrace(before)


def grouped(trace: Iterable[Assigned]) -> dict[str, list[TracedValue]]:
    """The values of each variable, one after another."""
    values: dict[str, list[TracedValue]] = {}
    for bound in trace:
        values.setdefault(bound.variable, []).append(bound.value)
    return values


def variables(text: str) -> set[str]:
    """The variables that a source binds, and the results of its functions; see `Assigned`."""
    return set(most_assignments(text))


def most_assignments(text: str) -> Counter[str]:
    """How often each variable is assigned on one way through its function, a loop's turn once.

    The result of a function counts once.
    """

    def of(block: Iterable[ast.AST], function: str) -> Counter[str]:
        counts = Counter[str]()
        for node in block:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                inner = f"{function}.{node.name}" if function else node.name
                counts += of(node.body, inner)
                if isinstance(node, ast.FunctionDef):
                    counts[f"{inner} {RESULT}"] = 1
                continue
            if isinstance(node, ast.stmt):
                counts.update(f"{function} {name}" for name in _bound_by(node))
            if isinstance(node, ast.If):
                counts += of(node.body, function) | of(node.orelse, function)
            else:
                counts += of(ast.iter_child_nodes(node), function)
        return counts

    return of(parse(text).body, "")


def _look_up(frame: FrameType, name: str) -> Any:
    """The value of a variable, or of an attribute such as `self.d_k`; None if there is none."""
    variable, _dot, attribute = name.removesuffix(IN_PART).partition(".")
    value = frame.f_locals.get(variable)
    return getattr(value, attribute, None) if attribute else value


@lru_cache(maxsize=4)  # a source is watched in one case after another
def _binds_by_line(text: str) -> dict[int, _Statement]:
    """By line, the statement that it belongs to."""
    statements: dict[int, _Statement] = {}
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.ClassDef | ast.FunctionDef):
            body = getattr(node, "body", None)
            end = body[0].lineno - 1 if body else node.end_lineno or 0
            loop = range(body[0].lineno, body[-1].end_lineno + 1) if body else range(0)
            names = tuple(dict.fromkeys(_bound_by(node)))
            statement = _Statement(node.lineno, names, loop)
            statements |= dict.fromkeys(range(node.lineno, max(end, node.lineno) + 1), statement)
    return statements


def lines_of_statements(text: str) -> list[int]:
    """The first lines of the statements that compute: no docstrings, no guards that only raise."""
    nodes = ast.walk(parse(text)) if text else ()
    return sorted(
        {
            node.lineno
            for node in nodes
            if isinstance(node, ast.stmt)
            and not isinstance(node, ast.ClassDef | ast.FunctionDef)
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
            and not isinstance((getattr(node, "body", None) or [node])[0], ast.Raise)
        }
    )


def function_around(text: str, line: int) -> list[int]:
    """The first lines of the statements in the innermost function around a line."""
    functions = [
        node
        for node in ast.walk(parse(text))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not functions:
        return []
    inner = max(functions, key=lambda node: node.lineno)
    last = inner.end_lineno or 0
    return [number for number in lines_of_statements(text) if inner.lineno < number <= last]


def names_read(text: str) -> dict[int, set[str]]:
    """By the first line of each statement, the variables and attributes that it reads."""
    return {
        node.lineno: {
            ast.unparse(part)
            for part in ast.walk(node)
            if isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Load)
        }
        for node in (ast.walk(parse(text)) if text else ())
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Return)
    }


def _bound_by(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _in_target(target)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target):
            yield from _in_target(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            yield name + IN_PART  # perhaps a method that changes it


def _in_target(target: ast.expr) -> Iterator[str]:
    match target:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            yield f"{owner}.{name}"
        case ast.Subscript(value=value):
            yield from (name + IN_PART for name in _in_target(value))
        case ast.Starred(value=value):
            yield from _in_target(value)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _in_target(part)
