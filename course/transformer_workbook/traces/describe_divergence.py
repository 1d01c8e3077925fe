"""Describes the first wrong value to the student."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from ..diagnosis.compare import Expected, Finding, Rule, compare
from ..diagnosis.finding_sentences import blanks_of_value, explain
from ..diagnosis.grids import Grid, grids
from ..diagnosis.recorded_lessons import released_lines
from ..diagnosis.signatures import relation
from ..shared.evidence import Evidence
from ..shared.language import _
from .divergence import FirstDivergence
from .trace import RESULT, name_of
from .values import ATOL, RTOL, TensorSums, TracedValue, are_alike, are_moved

MOST_LINES = 4  # that are quoted


def sentences(wrong: FirstDivergence, inputs: Mapping[str, Any], hint: str = "") -> str:
    """Which value is the first wrong one, and what is wrong with it.

    `inputs` are those of its case. `hint` is one for what the value should be.
    """
    if wrong.name == RESULT and not wrong.own:
        return " ".join(filter(None, [_returned(wrong), hint]))
    name = _name(wrong)
    finding = _finding(name, wrong.actual, wrong.expected)
    if finding:
        what = explain(finding, wrong.function, advise=False, words={finding.name: finding.name})
        parts = [what, relation(finding, inputs)]
    else:
        parts = [_unlike(name, wrong.actual, wrong.expected)]
    where = _("In the line `{line}`: {what}")
    if wrong.runs and not wrong.own:
        where = _("In the line `{line}`, on its run number {turn}: {what}")
    parts[0] = where.format(line=wrong.line, turn=wrong.runs + 1, what=parts[0])
    parts += [_where_else(wrong), hint]
    return " ".join(filter(None, parts))


def _where_else(wrong: FirstDivergence) -> str:
    """Where to look, if the line itself is written as in a right answer."""
    before = [line for line in wrong.suspects if line != wrong.line]
    if not wrong.is_written_right:
        return ""
    return _("That line is written right, so look at what runs before it: {lines}.").format(
        lines=_quoted(before)
    )


def hint_for(wrong: FirstDivergence, component: dict[str, Any]) -> str:
    """The first hint for the blank that assigns a variable; empty if that is unknown.

    It is empty, too, where the numbers are right, in other places: the hint is about the numbers.
    `component` is its entry in the lesson's texts.
    """
    if are_moved(wrong.actual, wrong.expected):
        return ""
    blanks, lines = component["blanks"], released_lines(component)
    assigning = [] if wrong.is_written_right else blanks_of_value(wrong.line, wrong.name, lines)
    if not assigning or not blanks[assigning[0]]["hints"]:
        return ""
    return _("A hint for the blank {blank}: {hint}").format(
        blank=assigning[0], hint=blanks[assigning[0]]["hints"][0]
    )


def _returned(wrong: FirstDivergence) -> str:
    """The sentence for a wrong result, if all variables before it are right."""
    if len(wrong.suspects) > 1 or wrong.is_written_right:
        return _(
            "`{right}` is as expected, and what is returned is not: look at the lines between, "
            "{lines}."
        ).format(right=name_of(wrong.right), lines=_quoted(wrong.suspects))
    says = _("`{right}` is as expected, and what the line `{line}` returns is not.")
    return says.format(line=wrong.line, right=name_of(wrong.right))


def _quoted(lines: Sequence[str]) -> str:
    if len(lines) > MOST_LINES:
        return _("those from `{first}` on").format(first=lines[0])
    return ", ".join(f"`{line}`" for line in lines)


def grids_of(wrong: FirstDivergence) -> list[Grid]:
    """Grids of the value and the expected one; none if no small value can be shown."""
    if wrong.name == RESULT and not wrong.own:
        return []  # the report shows the result
    finding = _finding(_name(wrong), wrong.actual, wrong.expected)
    words = {finding.name: finding.name} if finding else {}
    return grids(finding, words=words, actual=_("{name}: yours")) if finding else []


def has_other_shape(wrong: FirstDivergence | None) -> bool:
    """Whether the first wrong value has another shape than expected."""
    finding = _finding("", wrong.actual, wrong.expected) if wrong else None
    return finding is not None and finding.kind == "shape"


def _name(wrong: FirstDivergence) -> str:
    return f"`{wrong.own or wrong.name}`"


def _finding(name: str, actual: TracedValue, expected: TracedValue) -> Finding | None:
    """What is wrong with a value; None for sketches, layers, and a list of another length."""
    if isinstance(actual, TensorSums | str) or isinstance(expected, TensorSums | str):
        return None
    if isinstance(actual, list) and isinstance(expected, list):
        if len(actual) != len(expected):
            return None
        pairs = enumerate(zip(actual, expected, strict=True))
        index, (actual, expected) = next(pair for pair in pairs if not are_alike(*pair[1]))
        return _finding(f"{name[:-1]}[{index}]`", actual, expected)
    if isinstance(actual, list) or isinstance(expected, list):
        return None
    actual, expected = _promoted(actual, expected)
    rule = Rule(rtol=RTOL, atol=ATOL)
    findings = compare(_evidence(name, actual), Expected(_evidence(name, expected), {name: rule}))
    return findings[0] if findings else None


def _evidence(name: str, value: TracedValue) -> Evidence:
    if isinstance(value, torch.Tensor):
        return Evidence({name: value}, {})
    return Evidence({}, {name: value})


def _promoted(actual: TracedValue, expected: TracedValue) -> tuple[TracedValue, TracedValue]:
    """Both as numbers, or as tensors of one dtype, unless the type may be the mistake."""
    if isinstance(actual, torch.Tensor) and not isinstance(expected, torch.Tensor):
        actual = actual.item() if actual.numel() == 1 else actual
    elif isinstance(expected, torch.Tensor) and isinstance(actual, int | float):
        actual = torch.as_tensor(actual)
    both = (actual, expected)
    if all(isinstance(value, torch.Tensor) for value in both):
        if sum(value.dtype == torch.bool for value in both) != 1:
            dtype = torch.promote_types(actual.dtype, expected.dtype)
            return actual.to(dtype), expected.to(dtype)
        return both
    if {type(actual), type(expected)} == {int, float}:
        return float(actual), float(expected)
    return both


def _unlike(name: str, actual: TracedValue, expected: TracedValue) -> str:
    """What is wrong with a value of many numbers, or with a list."""
    shapes = [_shape(value) for value in (actual, expected)]
    if shapes[0] != shapes[1]:
        return _("{name} is {actual}; expected {expected}.").format(
            name=name, actual=shapes[0], expected=shapes[1]
        )
    factor = _factor(actual, expected)
    if factor:
        return _("Every number of {name} is {factor} times what is expected.").format(
            name=name, factor=factor
        )
    return _("{name} has other numbers than expected.").format(name=name)


def _factor(actual: TracedValue, expected: TracedValue) -> str:
    """The factor of all numbers of a sketched tensor, as a text; empty if there is none."""
    if not (isinstance(actual, TensorSums) and isinstance(expected, TensorSums)):
        return ""
    if len(actual) != 5 or len(expected) != 5:
        return ""
    if actual[4] or expected[4] or not expected[1]:
        return ""
    factor = actual[1] / expected[1]
    sign = math.copysign(1, factor)  # which the norm does not have
    others = zip((actual[2], sign * actual[3]), expected[2:4], strict=True)
    is_one = all(math.isclose(ours, factor * theirs, rel_tol=1e-3) for ours, theirs in others)
    return f"{factor:.4g}" if is_one else ""


def _shape(value: TracedValue) -> str:
    match value:
        case TensorSums():
            return _("a tensor of shape {shape}").format(shape=tuple(value[0]))
        case torch.Tensor():
            return _("a tensor of shape {shape}").format(shape=tuple(value.shape))
        case list():
            return _("a list of {count}").format(count=len(value))
    return str(value)
