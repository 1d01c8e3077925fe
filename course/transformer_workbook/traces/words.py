"""What to tell a student about the first value that is wrong."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from ..shared.evidence import Evidence
from ..shared.language import _
from ..verdicts.explain import blanks_of_value, explain
from ..verdicts.grids import grids
from ..verdicts.judge import Finding, Rule, judge
from ..verdicts.signatures import relation
from .first_wrong import FirstWrong
from .trace import RESULT, name_of
from .values import ATOL, RTOL, Kept, Sketched, are_alike

MOST_LINES = 4  # that are quoted


def sentences(wrong: FirstWrong, inputs: Mapping[str, Any], hint: str = "") -> str:
    """Which value is the first wrong one, and what is wrong with it.

    `inputs` are those of its case. `hint` is one for what the value should be.
    """
    if wrong.name == RESULT and not wrong.own:
        return " ".join(filter(None, [_returned(wrong), hint]))
    name = _name(wrong)
    finding = _finding(name, wrong.came, wrong.expected)
    if finding:
        what = explain(finding, wrong.function, advise=False, words={finding.name: finding.name})
        parts = [what, relation(finding, inputs)]
    else:
        parts = [_unlike(name, wrong.came, wrong.expected)]
    where = _("In the line `{line}`: {what}")
    if wrong.runs and not wrong.own:
        where = _("In the line `{line}`, on its run number {turn}: {what}")
    parts[0] = where.format(line=wrong.line, turn=wrong.runs + 1, what=parts[0])
    parts += [_where_else(wrong), hint]
    return " ".join(filter(None, parts))


def _where_else(wrong: FirstWrong) -> str:
    """Where to look, if the line itself is written as in a right answer."""
    before = [line for line in wrong.suspects if line != wrong.line]
    if not wrong.is_written_right:
        return ""
    return _("That line is written right, so look at what runs before it: {lines}.").format(
        lines=_quoted(before)
    )


def hint_for(wrong: FirstWrong, component: dict) -> str:
    """The first hint for the blank that gives a variable its value; empty where that is unknown.

    `component` is its entry in the lesson's texts.
    """
    blanks = component["blanks"]
    lines = {name: blank["line"] for name, blank in blanks.items()}
    found = [] if wrong.is_written_right else blanks_of_value(wrong.line, wrong.name, lines)
    if not found or not blanks[found[0]]["hints"]:
        return ""
    return _("A hint for the blank {blank}: {hint}").format(
        blank=found[0], hint=blanks[found[0]]["hints"][0]
    )


def _returned(wrong: FirstWrong) -> str:
    """What to say where a result is wrong, and no variable that has a right value."""
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


def grids_of(wrong: FirstWrong) -> list[dict]:
    """The value beside the expected one; nothing where there is nothing small to see."""
    if wrong.name == RESULT and not wrong.own:
        return []  # the report shows the result
    finding = _finding(_name(wrong), wrong.came, wrong.expected)
    words = {finding.name: finding.name} if finding else {}
    return grids(finding, words=words, came=_("{name}: yours")) if finding else []


def _name(wrong: FirstWrong) -> str:
    return f"`{wrong.own or wrong.name}`"


def _finding(name: str, came: Kept, expected: Kept) -> Finding | None:
    """What is wrong with a value; None where only a sketch is known, or a list is at fault."""
    if isinstance(came, Sketched) or isinstance(expected, Sketched):
        return None
    if isinstance(came, list) and isinstance(expected, list):
        if len(came) != len(expected):
            return None
        pairs = enumerate(zip(came, expected, strict=True))
        index, (came, expected) = next(pair for pair in pairs if not are_alike(*pair[1]))
        return _finding(f"{name[:-1]}[{index}]`", came, expected)
    if isinstance(came, list) or isinstance(expected, list):
        return None
    came, expected = _of_one_type(came, expected)
    rule = Rule(rtol=RTOL, atol=ATOL)
    found = judge(_evidence(name, came), _evidence(name, expected), {name: rule}, {})
    return found[0] if found else None


def _evidence(name: str, value: Kept) -> Evidence:
    if isinstance(value, torch.Tensor):
        return Evidence({name: value}, {})
    return Evidence({}, {name: value})


def _of_one_type(came: Kept, expected: Kept) -> tuple[Kept, Kept]:
    """Both as numbers, or as tensors of one dtype, where that says nothing about the mistake."""
    if isinstance(came, torch.Tensor) and not isinstance(expected, torch.Tensor):
        came = came.item() if came.numel() == 1 else came
    elif isinstance(expected, torch.Tensor) and isinstance(came, int | float):
        came = torch.as_tensor(came)
    both = (came, expected)
    if all(isinstance(value, torch.Tensor) for value in both):
        if sum(value.dtype == torch.bool for value in both) != 1:
            dtype = torch.promote_types(came.dtype, expected.dtype)
            return came.to(dtype), expected.to(dtype)
        return both
    if {type(came), type(expected)} == {int, float}:
        return float(came), float(expected)
    return both


def _unlike(name: str, came: Kept, expected: Kept) -> str:
    """What is wrong with a value of many numbers, or with a list."""
    shapes = [_shape(value) for value in (came, expected)]
    if shapes[0] != shapes[1]:
        return _("{name} is {came}; expected {expected}.").format(
            name=name, came=shapes[0], expected=shapes[1]
        )
    factor = _factor(came, expected)
    if factor:
        return _("Every number of {name} is {factor} times what is expected.").format(
            name=name, factor=factor
        )
    return _("{name} has other numbers than expected.").format(name=name)


def _factor(came: Kept, expected: Kept) -> str:
    """What all numbers of a sketched tensor are multiplied by, as a text; empty if by nothing."""
    if not (isinstance(came, Sketched) and isinstance(expected, Sketched)):
        return ""
    if len(came) != 5 or len(expected) != 5:
        return ""
    if came[4] or expected[4] or not expected[1]:
        return ""
    factor = came[1] / expected[1]
    sign = math.copysign(1, factor)  # which the norm does not have
    others = zip((came[2], sign * came[3]), expected[2:4], strict=True)
    is_one = all(math.isclose(ours, factor * theirs, rel_tol=1e-3) for ours, theirs in others)
    return f"{factor:.4g}" if is_one else ""


def _shape(value: Kept) -> str:
    match value:
        case Sketched():
            return _("a tensor of shape {shape}").format(shape=tuple(value[0]))
        case torch.Tensor():
            return _("a tensor of shape {shape}").format(shape=tuple(value.shape))
        case list():
            return _("a list of {count}").format(count=len(value))
    return str(value)
