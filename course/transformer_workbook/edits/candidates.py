"""Candidates: edits of a student's answer that may fix it, the likeliest first."""

import ast
import contextlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from ..shared.syntax import parse
from .edit import EDIT_KINDS, REPAIRING, Edit
from .rules import repairs_by_addition
from .rules.mistakes_in_expressions import mutate_expression
from .rules.mistakes_in_statements import mutate_statement
from .source import ParsedSource, code_of

# What can be wrong with a line that is written as in a right answer: where it stands.
OF_PLACE = {"order", "moved", "block", "into-a-block", "jump"}
LONGEST = 60  # characters of an expression that is quoted


def candidates(
    text: str,
    first: Collection[str] = (),
    kinds: Collection[str] = REPAIRING,
    written_right: Collection[str] = (),
) -> Iterator[Edit]:
    """The edits of one component; lines of code in `first` are changed before others.

    Yields edits of the given `kinds`. Lines in `written_right` may only be moved. No edit has the
    code of the source or of another edit. A source that cannot be parsed has none.
    """
    try:
        source = ParsedSource(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = [code_of(line) for line in source.lines]
    seen = {ast.unparse(source.tree)}
    for kind, node, changed in _changed(source, kinds, lambda line: lines[line - 1] not in first):
        line = lines[node.lineno - 1]
        if lines[source.statement_of(node).lineno - 1] in written_right and kind not in OF_PLACE:
            continue
        if changed not in seen:
            seen.add(changed)
            yield Edit(kind, line, quotable(source.segment(node)), changed)


def quotable(text: str) -> str:
    """The text, or "" if it is too long to be quoted."""
    return text if len(text) <= LONGEST else ""


def _changed(
    source: ParsedSource, kinds: Collection[str], is_late: Callable[[int], bool]
) -> Iterator[tuple[str, Any, str]]:
    """The kind, the node and the changed source of each edit, the likeliest first."""
    changes = sorted(
        (change for change in _changes(source) if change[0] in kinds),
        key=lambda change: (EDIT_KINDS[change[0]].tier, is_late(change[1].lineno)),
    )
    for kind, node, write in changes:
        # Not every expression has the form that is needed, and not every block lines of its own.
        with contextlib.suppress(ValueError, RecursionError, AttributeError, SyntaxError):
            yield kind, node, write()


def _changes(source: ParsedSource) -> Iterator[tuple[str, Any, Callable[[], str]]]:
    """Each edit that may fix the answer: its kind, its node, and what writes the source."""
    for node in ast.walk(source.tree):
        if node not in source.parents or is_left_alone(source, node):
            continue
        if isinstance(node, ast.expr):
            for kind, new in rewrite_expression(source, node):
                yield kind, node, partial(source.unparsed, node, new)
        elif isinstance(node, ast.stmt):
            for edit in mutate_statement(source, node):
                # Swapping the heads of two blocks makes an entirely different program.
                if not (edit.kind == "order" and hasattr(node, "body")):
                    yield edit.kind, node, partial(_normal, edit.source)
            for kind, block in repairs_by_addition.add_to_statement(source, node):
                yield kind, node, partial(source.unparsed, node, block)


def _normal(text: str) -> str:
    return ast.unparse(parse(text))


def rewrite_expression(source: ParsedSource, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The kinds of edits of an expression that may be a fix, each with what to write there."""
    for rule in (mutate_expression, repairs_by_addition.add_to_expression):
        for kind, new in rule(source, node):
            if kind in REPAIRING and not _is_unlikely(source, kind, node, new):
                yield kind, new


_OTHER_VALUES = {"name", "attribute", "constant", "variable"}


def _is_unlikely(source: ParsedSource, kind: str, old: ast.expr, new: ast.expr) -> bool:
    """Whether an edit would rarely show the mistake, even if cases pass with it.

    It may make a condition always true or always false: another value in the test of an `if`, or a
    comparison for order instead of equality. It may leave an operation without effect. It may
    change what a loop iterates over, or what is only stored, with a value that fits by chance.
    """
    around = [old, *source.around(old)]
    if kind in _OTHER_VALUES and _is_in(around, ast.If | ast.IfExp, "test"):
        return True
    if kind in repairs_by_addition.STEPS and (
        _is_in(around, ast.For | ast.comprehension, "iter") or any(map(_only_stores, around))
    ):
        return True
    match old, new:
        case ast.BinOp(), ast.BinOp(
            op=ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Pow(), right=ast.Constant(1)
        ) if kind in ("operator", "sides"):
            return True
        case ast.Compare(ops=[ast.Eq() | ast.NotEq()]), ast.Compare(ops=[op]):
            return not isinstance(op, ast.Eq | ast.NotEq)
        case _, ast.Call(ast.Name(), [], []) if kind == "argument":  # float(), list()
            return True
    return False


def _is_in(around: Sequence[ast.AST], kinds: Any, field: str) -> bool:
    """Whether one of these nodes, each in the next one, is in this field of a node of a kind."""
    return any(
        isinstance(outer, kinds) and inner is getattr(outer, field)
        for inner, outer in pairwise(around)
    )


def _only_stores(node: ast.AST) -> bool:
    """Whether a statement only stores a value under its own name, as in `self.size = size`."""
    match node:
        case ast.Assign([ast.Attribute(ast.Name("self"), attribute)], ast.Name(name)):
            return attribute.lstrip("_") == name
    return False


def is_left_alone(source: ParsedSource, node: ast.AST) -> bool:
    """Whether a node cannot be the mistake: unseen by tests, an error, or about the device."""
    parent = source.parents[node][0]
    return (
        source.is_unseen(node)
        or isinstance(node, ast.Raise)
        or any(
            isinstance(outer, ast.If | ast.IfExp)
            and re.search(r"\.(device|is_\w+)\b", ast.unparse(outer.test))
            and (outer in (node, parent) or any(part is node for part in ast.walk(outer.test)))
            for outer in (node, *source.around(node))
        )
    )
