"""The changed sources to try, the likeliest first, and the choice among those that help."""

import ast
import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..mutants.expressions import of_expression
from ..mutants.source import FUNCTIONS, Source, code_of, is_docstring, statements
from ..mutants.statements import of_statement
from ..shared.syntax import parse
from . import rules
from .inline import inlined

# By likelihood; kinds of the same tuple are tried line by line.
LIKELY = (
    ("axis", "name", "operator", "constant", "flag", "call", "operand", "argument", "function",
     "order", "attribute"),
    ("square", "root", "minus", "opposite", "steps", "grouping",
     "keepdim", "dim", "transposed", "normalized", "statement", "anew", "default", "variable"),
    ("correction", "training", "condition", "slice", "index", "loop", "moved",
     "block", "reciprocal", "one", "copy", "unsqueezed", "result", "jump", "context", "lines"),
    ("owner", "returned", "given", "factor", "term"),
)  # fmt: skip
_TIERS = {kind: tier for tier, kinds in enumerate(LIKELY) for kind in kinds}
# Of the third tier, what is tried beside another change; and all of the first two.
BESIDE = {
    "correction",
    "training",
    "condition",
    "slice",
    "index",
    "loop",
    "moved",
    "block",
    "result",
}
LONGEST = 60  # characters of an expression that is quoted


@dataclass(frozen=True)
class Candidate:
    """A source changed in one place: the kind of change, the line and the expression as written."""

    kind: str
    line: str
    old: str
    source: str


@dataclass(frozen=True)
class Repair:
    """A candidate that helps: how many of the failing cases pass with it.

    `also` is a second change, of the source that `candidate` has changed, where one alone is too
    little; its line and expression are those of the student's source. `value` is the variable that
    is right with the first change, where its values were watched.
    """

    candidate: Candidate
    mended: int
    failing: int
    also: Candidate | None = None
    value: str = ""


def candidates(
    text: str,
    first: Collection[str] = (),
    kinds: Collection[str] = _TIERS,
    only: Collection[str] = (),
) -> Iterator[Candidate]:
    """The changed sources of one component; lines of code in `first` are changed before others.

    Only those of the given kinds, and where lines are given in `only`, those of these lines. Those
    of a source that cannot be parsed are none. Each differs from the source and from all others.
    """
    try:
        source = Source(text)
        in_one_line = inlined(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    lines = [code_of(line).strip() for line in source.lines]
    seen = {ast.unparse(source.tree)}
    for kind, node, changed in _changed(source, kinds, lambda line: lines[line - 1] not in first):
        line = lines[node.lineno - 1]
        if changed not in seen and (not only or line in only):
            seen.add(changed)
            old = source.words(node)
            old = old if len(old) <= LONGEST else ""
            yield Candidate(kind, line, old, changed)
    if in_one_line and "lines" in kinds and not only:
        yield from _across_lines(*in_one_line, lines, seen)


def second_candidates(
    text: str, step: Candidate, first: Collection[str] = (), only: Collection[str] = ()
) -> Iterator[Candidate]:
    """The candidates of a source that a step has changed, with the places that they have in `text`.

    What the step itself has written is not quoted. Lines in `only` are those of the step's source.
    """
    source = Source(text)
    written = {}
    for node, _block in statements(source.tree):
        head = ast.unparse(node).partition("\n")[0]
        written[head] = code_of(source.lines[node.lineno - 1])
    expressions = {
        ast.unparse(node): source.words(node)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.expr)
    }
    changed_first = [head for head, line in written.items() if line in first]
    kinds = BESIDE | {kind for kind in _TIERS if tier(kind) < 2}
    for candidate in candidates(step.source, changed_first, kinds, only):
        line = written.get(candidate.line, step.line)
        old = expressions.get(candidate.old, "")
        yield replace(candidate, line=line, old=old if len(old) <= LONGEST else "")


def _across_lines(
    text: str, kept: Sequence[int], lines: Sequence[str], seen: set[str]
) -> Iterator[Candidate]:
    """Other orders of steps that stand in several lines: `text` has them in one."""
    source = Source(text)
    line_of = {
        node: line for (node, _block), line in zip(statements(source.tree), kept, strict=True)
    }
    seen.add(ast.unparse(source.tree))
    for _kind, node, changed in _changed(source, ("steps", "grouping"), lambda _line: False):
        if changed not in seen:
            seen.add(changed)
            statement = next(one for one in source.around(node) if one in line_of)
            yield Candidate("lines", lines[line_of[statement] - 1], "", changed)


def _changed(
    source: Source, kinds: Collection[str], is_late: Callable[[int], bool]
) -> Iterator[tuple[str, Any, str]]:
    """The kind, the node and the changed source of each change, the likeliest first."""
    changes = sorted(
        (change for change in _changes(source) if change[0] in kinds),
        key=lambda change: (tier(change[0]), is_late(change[1].lineno)),
    )
    for kind, node, write in changes:
        with contextlib.suppress(ValueError, RecursionError, AttributeError):
            yield kind, node, write()  # not every expression has the form that is needed


def tier(kind: str) -> int:
    """How likely a kind of change is; the likeliest are of tier 0."""
    return _TIERS[kind]


def best(found: Iterable[Repair]) -> Repair | None:
    """The one that mends most cases, of these one that makes a value right, then the likeliest.

    None unless it mends half of the cases, or makes a value right.
    """
    ranked = sorted(
        enumerate(found),
        key=lambda item: (
            -item[1].mended,
            not item[1].value,
            tier(item[1].candidate.kind),
            item[0],
        ),
    )
    repair = ranked[0][1] if ranked else None
    return repair if repair and (repair.value or 2 * repair.mended >= repair.failing) else None


_Write = Callable[[], str]


def _changes(source: Source) -> Iterator[tuple[str, ast.AST, _Write]]:
    """Each change: its kind, the node that it changes, and what writes the changed source."""
    for node in ast.walk(source.tree):
        if node not in source.parents or _is_left_alone(source, node):
            continue
        if isinstance(node, ast.expr):
            for rule in (of_expression, rules.of_expression):
                for kind, new in rule(source, node):
                    if kind in _TIERS:
                        yield kind, node, partial(_with_expression, source, node, new)
        elif isinstance(node, ast.stmt):
            for edit in of_statement(source, node):
                if edit.kind in _TIERS:
                    text = source.text[: edit.start] + edit.text + source.text[edit.end :]
                    yield edit.kind, node, partial(_normal, text)
            for kind, block in rules.of_statement(source, node):
                yield kind, node, partial(_with_block, source, node, block)


def _is_left_alone(source: Source, node: ast.AST) -> bool:
    """What cannot be at fault: annotations, texts, errors, and what depends on the device."""
    around = [node, *source.around(node)]
    if any(isinstance(one, ast.Raise | ast.JoinedStr) or is_docstring(one) for one in around):
        return True
    inner: ast.AST = node
    for one in around[1:]:
        if isinstance(one, FUNCTIONS) and not isinstance(one, ast.Lambda) and inner is one.returns:
            return True
        if isinstance(one, ast.arg | ast.AnnAssign) and inner is one.annotation:
            return True
        inner = one
    return any(
        isinstance(one, ast.If | ast.IfExp)
        and ".device" in ast.unparse(one.test)
        and (one in around[:2] or any(part is node for part in ast.walk(one.test)))
        for one in around
    )


def _normal(text: str) -> str:
    try:
        return ast.unparse(parse(text))
    except SyntaxError as error:
        raise ValueError(text) from error


def _with_expression(source: Source, node: ast.AST, new: ast.expr) -> str:
    parent, name, index = source.parents[node]
    if index is None:
        return _unparsed(source, parent, name, new)
    values = list(getattr(parent, name))
    values[index] = new
    return _unparsed(source, parent, name, values)


def _with_block(source: Source, node: ast.stmt, block: list[ast.stmt]) -> str:
    parent, name, _index = source.parents[node]
    return _unparsed(source, parent, name, block)


def _unparsed(source: Source, parent: ast.AST, name: str, value: object) -> str:
    """The source with another value of one node's field."""
    before = getattr(parent, name)
    setattr(parent, name, value)
    try:
        return ast.unparse(source.tree)
    finally:
        setattr(parent, name, before)
