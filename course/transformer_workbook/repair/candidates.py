"""The changed sources to try, the likeliest first, and the choice among those that help."""

import ast
import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from ..mutants.expressions import of_expression
from ..mutants.source import FUNCTIONS, Edit, Source, code_of, is_docstring, statements
from ..mutants.statements import of_statement
from ..mutants.torch_facts import called_name
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
    ("owner", "returned", "given", "factor", "term", "instead", "size", "part", "other-keyword"),
)  # fmt: skip
# What is told of a change more exactly than its kind, and that kind.
EXACTLY = {
    "boundary": "operator", "comparison": "operator", "sides": "operator", "sign": "operator",
    "and-or": "operator", "arguments": "argument", "keyword": "flag", "divisor": "factor",
    "difference": "term", "one-less": "one", "complement": "reciprocal", "always": "condition",
    "into-a-block": "block", "no-index": "index", "axis-given": "axis",
}  # fmt: skip
_TIERS = {kind: tier for tier, kinds in enumerate(LIKELY) for kind in kinds}
_TIERS |= {exact: _TIERS[kind] for exact, kind in EXACTLY.items()}
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
# What can be wrong with a line that is written as in a right answer: where it stands.
OF_PLACE = {"order", "moved", "block", "into-a-block", "jump"}
# With one of so many variables more, some numbers are right by chance.
BY_CHANCE = {"factor", "divisor", "term", "difference"}
# What can be wrong where an input is changed: another value in its place mends that by chance.
OF_CHANGED_INPUTS = {"anew", "copy", "call", "statement", "owner"}
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

    def to_tree(self) -> dict[str, object]:
        """What `found.read_repair` reads."""
        tree: dict[str, object] = {"mended": self.mended, "value": self.value}
        for prefix, change in (("", self.candidate), ("also_", self.also)):
            if change:
                of_change = vars(change)
                tree |= {prefix + key: value for key, value in of_change.items()}
        return tree


def candidates(
    text: str,
    first: Collection[str] = (),
    kinds: Collection[str] = _TIERS,
    only: Collection[str] = (),
    written_right: Collection[str] = (),
) -> Iterator[Candidate]:
    """The changed sources of one component; lines of code in `first` are changed before others.

    Only those of the given kinds, and where lines are given in `only`, those of these lines. Lines
    that are written right may only be moved. Those of a source that cannot be parsed are none. Each
    differs from the source and from all others.
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
        if _statement(source, node, lines) in written_right and kind not in OF_PLACE:
            continue
        if changed not in seen and (not only or line in only):
            seen.add(changed)
            old = source.words(node)
            old = old if len(old) <= LONGEST else ""
            yield Candidate(kind, line, old, changed)
    if in_one_line and "lines" in kinds and not only:
        yield from _across_lines(*in_one_line, lines, seen)


def second_candidates(
    text: str,
    step: Candidate,
    first: Collection[str] = (),
    only: Collection[str] = (),
    written_right: Collection[str] = (),
) -> Iterator[Candidate]:
    """The candidates of a source that a step has changed, with the places that they have in `text`.

    What the step itself has written is not quoted. Lines in `only` and `written_right` are those of
    the step's source.
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
    for candidate in candidates(step.source, changed_first, kinds, only, written_right):
        line = written.get(candidate.line, step.line)
        old = expressions.get(candidate.old, "")
        yield replace(candidate, line=line, old=old if len(old) <= LONGEST else "")


def _statement(source: Source, node: Any, lines: Sequence[str]) -> str:
    """The first line of the statement that a node is in."""
    around = (outer for outer in (node, *source.around(node)) if isinstance(outer, ast.stmt))
    return lines[next(around).lineno - 1]


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
            statement = next(outer for outer in source.around(node) if outer in line_of)
            yield Candidate("lines", lines[line_of[statement] - 1], "", changed)


def _changed(
    source: Source, kinds: Collection[str], is_late: Callable[[int], bool]
) -> Iterator[tuple[str, Any, str]]:
    """The kind, the node and the changed source of each change, the likeliest first."""
    changes = sorted(
        (change for change in _changes(source) if EXACTLY.get(change[0], change[0]) in kinds),
        key=lambda change: (tier(change[0]), is_late(change[1].lineno)),
    )
    for kind, node, write in changes:
        with contextlib.suppress(ValueError, RecursionError, AttributeError):
            yield kind, node, write()  # not every expression has the form that is needed


def tier(kind: str) -> int:
    """How likely a kind of change is; the likeliest are of tier 0."""
    return _TIERS[kind]


def best(found: Iterable[Repair]) -> Repair | None:
    """Of those that mend all cases, one that makes a value right, then the likeliest; or None."""
    whole = [
        repair
        for repair in found
        if repair.mended == repair.failing
        and is_sure(repair.candidate, repair.also)
        and not _turns_a_condition(repair.candidate)
    ]
    return min(whole, key=lambda one: (not one.value, tier(one.candidate.kind)), default=None)


def _turns_a_condition(one: Candidate) -> bool:
    """Whether a change makes another branch run: so it may only avoid the line that is wrong."""
    is_tested = re.search(r"(^|\s)(if|elif|while)\s", one.line)
    kinds = ("comparison", "condition", "always", "opposite", "sign")
    return one.kind == "condition" or bool(is_tested) and one.kind in kinds


def is_sure(one: Candidate, other: Candidate | None) -> bool:
    """Whether two changes together are rarely right by chance: likely ones, of the same line."""
    return other is None or (
        one.line == other.line and tier(one.kind) == tier(other.kind) == tier(LIKELY[0][0])
    )


_Write = Callable[[], str]


def _changes(source: Source) -> Iterator[tuple[str, ast.AST, _Write]]:
    """Each change: its kind, the node that it changes, and what writes the changed source."""
    for node in ast.walk(source.tree):
        if node not in source.parents or is_left_alone(source, node):
            continue
        if isinstance(node, ast.expr):
            for kind, new in expression_changes(source, node):
                yield kind, node, partial(_with_expression, source, node, new)
        elif isinstance(node, ast.stmt):
            for edit in of_statement(source, node):
                # To exchange the heads of two blocks is to write another program.
                if edit.kind in _TIERS and not (edit.kind == "order" and _has_a_block(node)):
                    text = source.text[: edit.start] + edit.text + source.text[edit.end :]
                    yield _of_edit(edit), node, partial(_normal, text)
            for kind, block in rules.of_statement(source, node):
                yield kind, node, partial(_with_block, source, node, block)


def expression_changes(source: Source, node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The kinds of change of an expression, each with the expression to write in its place."""
    for rule in (of_expression, rules.of_expression):
        for kind, new in rule(source, node):
            if kind in _TIERS and not _is_unlikely(source, kind, node, new):
                yield _of_expression(kind, node, new), new


_BOUNDARY = ({ast.Lt, ast.LtE}, {ast.Gt, ast.GtE})
_OF_OPERATORS = {
    ("factor", ast.Div): "divisor",
    ("term", ast.Sub): "difference",
    ("one", ast.Sub): "one-less",
    ("reciprocal", ast.Sub): "complement",
}


def _of_expression(kind: str, old: ast.expr, new: ast.expr) -> str:
    """What is told of a change of an expression: its kind, or more exactly; see EXACTLY."""
    match kind, old, new:
        case "operator", ast.Compare(), ast.Compare():
            changed = [{type(a), type(b)} for a, b in zip(old.ops, new.ops, strict=True)]
            return (
                "boundary" if any(operator in _BOUNDARY for operator in changed) else "comparison"
            )
        case "operator", ast.BinOp(), ast.BinOp() if type(old.op) is type(new.op):
            return "sides"
        case "operator", ast.UnaryOp(), _:
            return "sign"
        case "operator", ast.BoolOp(), _:
            return "and-or"
        case "argument", ast.Call(), ast.Call() if len(old.args) == len(new.args):
            return "arguments"
        case "flag", ast.Call(), _:
            return "keyword"
        case "index", ast.Subscript(), _ if new is old.value:
            return "no-index"
        case "axis", ast.Call(), _:
            return "axis-given"
        case "function", ast.Call(), _ if called_name(old) in ("no_grad", "enable_grad"):
            return "context"
        case _, _, ast.BinOp():
            return _OF_OPERATORS.get((kind, type(new.op)), kind)
    return kind


def _of_edit(edit: Edit) -> str:
    """What is told of a change of a statement; see EXACTLY."""
    if edit.kind == "condition" and edit.text in ("True", "False"):
        return "always"
    if edit.kind == "block" and edit.new.startswith("(into"):
        return "into-a-block"
    return edit.kind


_OTHER_VALUES = {"name", "attribute", "constant", "variable"}


def _is_unlikely(source: Source, kind: str, old: ast.expr, new: ast.expr) -> bool:
    """Whether a change would mean something else than it seems to.

    It may make a condition true or false for good, as with another value in the test of an `if`, or
    where a comparison for equality becomes one for order; or leave an operation without effect; or
    change all that a loop goes over, or where a slice begins, or what is only stored, by a value
    that only happens to fit.
    """
    around = [old, *source.around(old)]
    if kind in _OTHER_VALUES and _is_in(around, ast.If | ast.IfExp, "test"):
        return True
    if kind in rules.STEPS and (
        _is_in(around, ast.For | ast.comprehension, "iter") or any(map(_only_stores, around))
    ):
        return True
    if kind in BY_CHANCE and any(isinstance(one, ast.Slice) for one in around):
        return True
    match old, new:
        case ast.BinOp(), ast.BinOp(op=ast.Mult() | ast.Div() | ast.FloorDiv() | ast.Pow(),
                                    right=ast.Constant(1)) if kind == "operator":  # fmt: skip
            return True
        case ast.Call(ast.Name(called)), _ if kind == "given":
            return called in rules.PYTHONS_OWN
        case ast.Compare(ops=[ast.Eq() | ast.NotEq()]), ast.Compare(ops=[op]):
            return not isinstance(op, ast.Eq | ast.NotEq)
        case _, ast.Call(ast.Name(), [], []) if kind == "argument":  # float(), list()
            return True
    return False


def _is_in(around: Sequence[ast.AST], kinds: Any, field: str) -> bool:
    """Whether the first of these nodes stands in this field of such a node around it."""
    return any(
        isinstance(outer, kinds) and inner is getattr(outer, field)
        for inner, outer in pairwise(around)
    )


def _has_a_block(node: ast.stmt) -> bool:
    return isinstance(getattr(node, "body", None), list)


def _only_stores(node: ast.AST) -> bool:
    """Whether a statement keeps a value under the very name that it has: `self.size = size`."""
    match node:
        case ast.Assign([ast.Attribute(ast.Name("self"), kept)], ast.Name(name)):
            return kept.lstrip("_") == name
    return False


def is_left_alone(source: Source, node: ast.AST) -> bool:
    """What cannot be at fault: annotations, texts, errors, and what depends on the device."""
    around = [node, *source.around(node)]
    if any(isinstance(outer, ast.Raise | ast.JoinedStr) or is_docstring(outer) for outer in around):
        return True
    inner: ast.AST = node
    for outer in around[1:]:
        if (
            isinstance(outer, FUNCTIONS)
            and not isinstance(outer, ast.Lambda)
            and inner is outer.returns
        ):
            return True
        if isinstance(outer, ast.arg | ast.AnnAssign) and inner is outer.annotation:
            return True
        inner = outer
    return any(
        isinstance(outer, ast.If | ast.IfExp)
        and re.search(r"\.(device|is_\w+)\b", ast.unparse(outer.test))
        and (outer in around[:2] or any(part is node for part in ast.walk(outer.test)))
        for outer in around
    )


def _normal(text: str) -> str:
    try:
        return ast.unparse(parse(text))
    except SyntaxError as error:
        raise ValueError(text) from error


def _with_expression(source: Source, node: ast.AST, new: ast.expr) -> str:
    with changed_expression(source, node, new):
        return ast.unparse(source.tree)


def _with_block(source: Source, node: ast.stmt, block: list[ast.stmt]) -> str:
    parent, name, _index = source.parents[node]
    with _changed_field(parent, name, block):
        return ast.unparse(source.tree)


def changed_expression(
    source: Source, node: ast.AST, new: ast.expr
) -> contextlib.AbstractContextManager[None]:
    """While it is entered, the tree of the source has another expression in the place of one."""
    parent, name, index = source.parents[node]
    if index is None:
        return _changed_field(parent, name, new)
    values = list(getattr(parent, name))
    values[index] = new
    return _changed_field(parent, name, values)


@contextlib.contextmanager
def _changed_field(parent: ast.AST, name: str, value: object) -> Iterator[None]:
    before = getattr(parent, name)
    setattr(parent, name, value)
    try:
        yield
    finally:
        setattr(parent, name, before)
