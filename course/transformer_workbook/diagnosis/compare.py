"""Compares a student's evidence with the reference's on the same inputs.

The grader computes test results on its trusted side only; the visible check in a notebook uses the
same code on recorded evidence. Everything fails closed: what cannot be compared does not pass.
"""

from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

import torch
from torch import Tensor

from ..shared.evidence import Evidence
from ..shared.language import _
from ..shared.obligations import OBLIGATIONS
from ..shared.words import TOLD_LAST


@dataclass(frozen=True)
class Rule:
    """How one named piece of evidence is judged.

    `kind`:
    - "close": within tolerance of the reference's (where the mask `where` is True, if one
      is named; all other entries need only be finite);
    - "equal": exactly the reference's;
    - "finite": of the reference's shape, and finite;
    - "zero": exactly 0 wherever the mask `where` is True;
    - "same": within tolerance of the student's own evidence named `other`;
    - "differs": not within tolerance of the student's own evidence named `other`;
    - "between": a number from `low` to `high`;
    - "ignored": anything, or nothing.

    Raises ValueError for another kind, or where the name that a kind needs is missing.
    """

    kind: str = "close"
    where: str = ""
    other: str = ""
    low: float = 0.0
    high: float = 0.0
    atol: float = 1e-5
    rtol: float = 1e-4

    KINDS = ("close", "equal", "finite", "zero", "same", "differs", "between", "ignored")

    def __post_init__(self) -> None:
        if self.kind not in self.KINDS:
            message = _("a rule's kind is one of {kinds}, not {kind!r}")
            raise ValueError(message.format(kinds=", ".join(self.KINDS), kind=self.kind))
        if self.kind == "zero" and not self.where:
            raise ValueError(_("a rule of kind 'zero' names the mask of its entries in `where`"))
        if self.kind in ("same", "differs") and not self.other:
            message = _("a rule of kind {kind!r} names what to compare in `other`")
            raise ValueError(message.format(kind=self.kind))

    def to_tree(self) -> dict[str, object]:
        """The rule as plain values: the arguments that make it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


DEFAULT = Rule()


@dataclass(frozen=True)
class Expected:
    """What the evidence of one case is judged by."""

    reference: Evidence
    rules: dict[str, Rule] = field(default_factory=dict)
    masks: dict[str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Pair:
    """The actual value, and the one that it was compared with.

    Both are tensors, or lists of numbers. `wrong` and `judged` are boolean tensors of their shape:
    which entries are wrong, and which are judged at all; None where the shapes differ, or where all
    are judged. `other` names the second value if it is the student's own, not the reference's.
    """

    actual: object
    expected: object
    wrong: Tensor | None = None
    judged: Tensor | None = None
    other: str = ""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: the evidence's name, its kind, its details.

    `kind` is a key of the tables in `finding_sentences.py`; "failure." stands before those of
    failures. `pair` holds the values to show; None where there are none.
    """

    name: str
    kind: str
    details: dict[str, Any] = field(default_factory=dict)
    pair: Pair | None = field(default=None, compare=False, repr=False)


def compare(student: Evidence, to: Expected) -> list[Finding]:
    """What is wrong with `student`; an empty list is a pass.

    Evidence without a rule is compared with the reference's: "close" for floating-point
    numbers, "equal" for everything else. The most telling finding is the first one. Raises
    ValueError when the reference itself failed.
    """
    reference, rules = to.reference, to.rules
    if reference.failure:
        raise ValueError(_("the reference failed: {failure}").format(failure=reference.failure))
    if student.failure:
        return [Finding("", f"failure.{student.failure.kind}", vars(student.failure))]
    findings = []
    for name in reference.tensors:
        findings.append(_judge_tensor(name, rules.get(name, DEFAULT), student, to))
    for name, expected in reference.values.items():
        findings.append(_judge_value(name, rules.get(name, DEFAULT), student, expected))
    return sorted(filter(None, findings), key=rank)


WRONG_TYPES = ("no_output", "not_a_tensor", "tensor_for_value", "type")
WRONG_FORMS = ("shape", "dtype")
# The most telling kinds come first. Others are about numbers; what tells least comes after them.
RANKS = (
    tuple(name for name in OBLIGATIONS if name not in ("mode_matters", "as_before")),
    ("not_learned", "names_missing", "names_other", "names_extra"),
    WRONG_TYPES,
    WRONG_FORMS,
    ("no_gradient",),  # where another result is returned, no gradient comes through either
    ("value",),
    ("no_value",),
    ("not_same", "not_differs"),
    ("mode_matters",),
)


def rank(finding: Finding) -> int:
    """How telling a finding is; the most telling ones have the lowest rank."""
    if finding.name in TOLD_LAST:
        return len(RANKS)
    if finding.details.get("actual") == "none":
        return len(RANKS) + 1  # that nothing was raised: what goes wrong otherwise tells more
    if finding.kind == "as_before":
        return len(RANKS) + 1  # a result that does not depend on the numbers is often so, too
    if finding.kind == "number" and finding.details["actual"] == "0":
        finding = Finding(finding.name, "value")  # that nothing happened tells as much as a count
    return next((rank for rank, kinds in enumerate(RANKS) if finding.kind in kinds), len(RANKS))


def _judge_tensor(name: str, rule: Rule, student: Evidence, to: Expected) -> Finding | None:
    if rule.kind == "ignored":
        return None
    if name not in student.tensors:
        if name not in student.values:
            kind = "not_learned" if name.endswith(".grad") else "no_value"
            return Finding(name, kind, {"expected": _("a tensor")})
        if name.endswith(".grad") and student.values[name] is None:
            return Finding(name, "no_output")
        value = student.values[name]
        shown = "<list>" if isinstance(value, list) else _brief(value)  # it may be long
        return Finding(name, "not_a_tensor", {"actual": shown})
    actual, expected = student.tensors[name], to.reference.tensors[name]
    if actual.shape != expected.shape:
        shapes = {"actual": tuple(actual.shape), "expected": tuple(expected.shape)}
        return Finding(name, "shape", shapes, Pair(actual, expected))
    if actual.dtype != expected.dtype:
        return Finding(name, "dtype", {"actual": _dtype(actual), "expected": _dtype(expected)})
    if rule.kind == "equal" or not expected.is_floating_point():
        return _first_difference(name, actual, expected, actual != expected)
    where = to.masks[rule.where].expand(actual.shape) if rule.where else torch.tensor(True)
    judged = where if rule.where else None  # which entries are compared with the reference's
    if not torch.isfinite(actual[torch.isfinite(expected)]).all():
        odd = ~torch.isfinite(actual)
        pair = Pair(actual, expected, odd, judged if rule.kind == "close" else odd & ~odd)
        return Finding(name, "not_finite", _place(actual, expected, odd), pair)
    if rule.kind == "finite":
        return None
    if rule.kind in ("same", "differs"):
        return _judge_pair(name, rule, actual, student.tensors.get(rule.other))
    if rule.kind == "zero":
        wrong = (actual != 0) & where
        if not wrong.any():
            return None
        pair = Pair(actual, expected, wrong, judged)
        return Finding(name, "not_zero", _place(actual, expected, wrong), pair)
    off = ~torch.isclose(actual.double(), expected.double(), rtol=rule.rtol, atol=rule.atol)
    if name.endswith(".grad") and not actual.any() and (off & where).any():
        return Finding(name, "no_gradient")
    return _first_difference(name, actual, expected, off & where, judged)


def _judge_pair(name: str, rule: Rule, actual: Tensor, second: Tensor | None) -> Finding | None:
    """Rules of kinds "same" and "differs": two tensors of the student's own."""
    wrong = Finding(name, f"not_{rule.kind}", {"other": rule.other})
    if second is None or second.shape != actual.shape:
        return wrong
    close = torch.isclose(actual.double(), second.double(), rtol=rule.rtol, atol=rule.atol)
    if bool(close.all()) == (rule.kind == "same"):
        return None
    return replace(wrong, pair=Pair(actual, second, ~close, other=rule.other))


def _judge_value(name: str, rule: Rule, student: Evidence, expected: object) -> Finding | None:
    if rule.kind == "ignored":
        return None
    if name in student.tensors:
        return Finding(name, "tensor_for_value", {"expected": type(expected).__name__})
    if name not in student.values:
        return Finding(name, "no_value", {"expected": _brief(expected)})
    actual = student.values[name]
    if name in OBLIGATIONS:
        return _judge_obligation(name, actual, expected)
    number = actual if isinstance(actual, int | float) and not isinstance(actual, bool) else None
    if type(expected) in (int, float) and not isinstance(actual, int | float):
        kinds = {"actual": _brief(actual), "expected": type(expected).__name__}
        return Finding(name, "type", kinds)
    if rule.kind == "between":
        if number is not None and rule.low <= number <= rule.high:
            return None
        bounds = {"low": _brief(rule.low), "high": _brief(rule.high)}
        return Finding(name, "not_between", {"actual": _brief(actual), **bounds})
    if type(expected) is float and rule.kind == "close":
        if number is not None and _is_close(number, expected, rule):
            return None
    elif type(actual) is type(expected) and actual == expected:
        return None
    details = {"actual": _brief(actual), "expected": _brief(expected)}
    if _are_names(actual) and _are_names(expected) and set(actual) != set(expected):
        missing = ", ".join(name for name in expected if name not in actual)[:200]
        extra = ", ".join(name for name in actual if name not in expected)[:200]
        kind = "names_missing" if not extra else "names_extra" if not missing else "names_other"
        return Finding(name, kind, details | {"missing": missing, "extra": extra})
    pair = Pair(actual, expected) if isinstance(expected, list) else None
    return Finding(name, "number" if type(expected) is float else "value", details, pair)


def _judge_obligation(name: str, actual: object, expected: Any) -> Finding | None:
    """A violation passes if the reference commits it too."""
    if isinstance(expected, bool):
        return None if actual is expected or expected else Finding(name, name)
    if not isinstance(actual, list):
        return Finding(name, name, {"actual": "?"})
    wrong = [str(parameter) for parameter in actual if parameter not in expected]
    return Finding(name, name, {"actual": ", ".join(wrong)[:200]}) if wrong else None


def _first_difference(
    name: str, actual: Tensor, expected: Tensor, off: Tensor, judged: Tensor | None = None
) -> Finding | None:
    if not off.any():
        return None
    return Finding(
        name, "differs", _place(actual, expected, off), Pair(actual, expected, off, judged)
    )


def _place(actual: Tensor, expected: Tensor, wrong: Tensor) -> dict[str, object]:
    """The first entry where `wrong` is True, with both numbers and the count of such entries."""
    place = tuple(torch.nonzero(wrong)[0].tolist()) if wrong.dim() and wrong.any() else ()
    return {
        "place": list(place),
        "actual": _brief(actual[place].item()),
        "expected": _brief(expected[place].item()),
        "wrong": int(wrong.sum()),
        "of": actual.numel(),
    }


def _is_close(actual: float, expected: float, rule: Rule) -> bool:
    try:
        return abs(actual - expected) <= rule.atol + rule.rtol * abs(expected)
    except OverflowError:  # an integer that no float holds
        return False


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _brief(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{value:,}"[:200]
        return (", ".join(value) if value and _are_names(value) else str(value))[:200]
    except ValueError:  # Python does not write integers of thousands of digits
        return _("<a number of thousands of digits>")


def _are_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)
