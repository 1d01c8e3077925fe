"""Compares a student's evidence with the reference's on the same inputs.

The grader computes verdicts on its trusted side only; the visible check in a notebook uses the
same code on recorded evidence. Everything fails closed: what cannot be compared does not pass.
"""

from dataclasses import dataclass, field

import torch

from .evidence import Evidence, Failure
from .obligations import OBLIGATIONS


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
    """

    kind: str = "close"
    where: str = ""
    other: str = ""
    low: float = 0.0
    high: float = 0.0
    atol: float = 1e-5
    rtol: float = 1e-4

    KINDS = ("close", "equal", "finite", "zero", "same", "differs", "between", "ignored")

    def __post_init__(self):
        if self.kind not in self.KINDS:
            raise ValueError(f"a rule's kind is one of {', '.join(self.KINDS)}, not {self.kind!r}")
        if self.kind == "zero" and not self.where:
            raise ValueError("a rule of kind 'zero' names the mask of its entries in `where`")
        if self.kind in ("same", "differs") and not self.other:
            raise ValueError(f"a rule of kind {self.kind!r} names what to compare in `other`")

    def to_tree(self) -> dict:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: the evidence's name, a key of the text catalogue, its details."""

    name: str
    text: str
    details: dict = field(default_factory=dict)


def judge(
    student: Evidence, reference: Evidence, rules: dict[str, Rule], masks: dict
) -> list[Finding]:
    """What is wrong with `student`; an empty list is a pass.

    Evidence without a rule is compared with the reference's: "close" for floating-point
    tensors, "equal" for all else. Raises ValueError when the reference itself failed.
    """
    if reference.failure:
        raise ValueError(f"the reference failed: {reference.failure}")
    if student.failure:
        return [Finding("", f"failure.{student.failure.kind}", vars(student.failure))]
    findings = []
    for name in [*reference.tensors, *reference.values]:
        rule = rules.get(name, DEFAULT)
        if rule.kind == "ignored":
            continue
        finding = _judge_one(name, rule, student, reference, masks)
        if finding:
            findings.append(finding)
    return findings


DEFAULT = Rule()


def _judge_one(name, rule, student, reference, masks) -> Finding | None:
    if name in reference.values:
        return _judge_value(name, rule, student, reference.values[name])
    if name not in student.tensors:
        came = student.values.get(name, "nothing")
        return Finding(name, "not_a_tensor", {"came": _brief(came)})
    came, expected = student.tensors[name], reference.tensors[name]
    if came.shape != expected.shape:
        return Finding(
            name, "shape", {"came": tuple(came.shape), "expected": tuple(expected.shape)}
        )
    if came.dtype != expected.dtype:
        return Finding(name, "dtype", {"came": _dtype(came), "expected": _dtype(expected)})
    if rule.kind == "equal" or not expected.is_floating_point():
        return _first_difference(name, came, expected, came != expected)
    where = _mask(masks, rule.where, came)
    if not torch.isfinite(came[torch.isfinite(expected)]).all():
        return Finding(name, "not_finite", _at(came, expected, ~torch.isfinite(came)))
    if rule.kind == "finite":
        return None
    if rule.kind == "zero":
        wrong = (came != 0) & where
        return Finding(name, "not_zero", _at(came, expected, wrong)) if wrong.any() else None
    if rule.kind in ("same", "differs"):
        return _judge_pair(name, rule, came, student.tensors.get(rule.other))
    off = ~torch.isclose(came.double(), expected.double(), rtol=rule.rtol, atol=rule.atol)
    return _first_difference(name, came, expected, off & where)


def _judge_value(name, rule, student, expected) -> Finding | None:
    if name in student.tensors:
        return Finding(name, "tensor_for_value", {"expected": type(expected).__name__})
    if name not in student.values:
        return Finding(name, "no_value", {"expected": _brief(expected)})
    came = student.values[name]
    if name in OBLIGATIONS:
        return _judge_obligation(name, came, expected)
    number = isinstance(came, int | float) and not isinstance(came, bool)
    if rule.kind == "between":
        if number and rule.low <= came <= rule.high:
            return None
        return Finding(
            name, "not_between", {"came": _brief(came), "low": rule.low, "high": rule.high}
        )
    if type(expected) is float and rule.kind == "close":
        if number and abs(came - expected) <= rule.atol + rule.rtol * abs(expected):
            return None
    elif type(came) is type(expected) and came == expected:
        return None
    return Finding(name, "value", {"came": _brief(came), "expected": _brief(expected)})


def _judge_obligation(name, came, expected) -> Finding | None:
    """What the reference leaves changed itself, others may leave changed, too."""
    if isinstance(expected, bool):
        return None if came is expected or expected else Finding(name, name)
    wrong = [str(one) for one in came if one not in expected] if isinstance(came, list) else ["?"]
    return Finding(name, name, {"came": ", ".join(wrong)[:200]}) if wrong else None


def _judge_pair(name, rule, came, other) -> Finding | None:
    if other is None or other.shape != came.shape:
        return Finding(name, f"not_{rule.kind}", {"other": rule.other})
    close = torch.allclose(came.double(), other.double(), rtol=rule.rtol, atol=rule.atol)
    if close == (rule.kind == "same"):
        return None
    return Finding(name, f"not_{rule.kind}", {"other": rule.other})


def _mask(masks, where, like) -> torch.Tensor:
    if not where:
        return torch.ones_like(like, dtype=torch.bool)
    return masks[where].expand(like.shape)


def _first_difference(name, came, expected, off) -> Finding | None:
    return Finding(name, "differs", _at(came, expected, off)) if off.any() else None


def _at(came, expected, wrong) -> dict:
    place = tuple(torch.nonzero(wrong)[0].tolist()) if wrong.dim() and wrong.any() else ()
    return {
        "place": list(place),
        "came": _brief(came[place].item()),
        "expected": _brief(expected[place].item()),
        "wrong": int(wrong.sum()),
        "of": came.numel(),
    }


def _dtype(tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _brief(value) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)[:200]


# Misconceptions: evidence that is wrong in a known way.


def alike(student: Evidence, other: Evidence, rules: dict[str, Rule]) -> bool:
    """Whether two pieces of evidence could come from the same code."""
    if student.failure or other.failure:
        return bool(
            student.failure
            and other.failure
            and student.failure.signature == other.failure.signature
        )
    if student.tensors.keys() != other.tensors.keys():
        return False
    for name, value in other.values.items():
        if not _alike_value(student.values.get(name), value):
            return False
    return all(
        rules.get(name, DEFAULT).kind == "ignored" or _alike_tensor(student.tensors[name], tensor)
        for name, tensor in other.tensors.items()
    )


def _alike_value(came, value) -> bool:
    if isinstance(value, float) and isinstance(came, float):
        return came == value or abs(came - value) <= 1e-5 + 1e-4 * abs(value) or came != came
    return type(came) is type(value) and came == value


def _alike_tensor(came, other) -> bool:
    # What is recorded of a mistake was computed in double precision throughout, so it does not tell
    # which of the floating-point dtypes comes back.
    if came.shape != other.shape or came.is_floating_point() != other.is_floating_point():
        return False
    if not came.is_floating_point():
        return came.dtype == other.dtype and torch.equal(came, other)
    # The lowest number of a dtype is as good as minus infinity, and differs between dtypes.
    came, other = (tensor.double().clamp(-1e30, 1e30) for tensor in (came, other))
    return torch.allclose(came, other, rtol=1e-4, atol=1e-5, equal_nan=True)


@dataclass(frozen=True)
class Known:
    """One misconception: its name and its evidence, case by case; None where it is right."""

    name: str
    evidence: dict[str, Evidence | None]


def diagnose(
    failing: dict[str, Evidence], rules: dict[str, dict[str, Rule]], known: list[Known]
) -> dict[str, str]:
    """Name the misconception behind each failing case, where one explains it.

    `failing` holds the evidence of the cases that a component failed, `rules` their rules, both
    by case. A misconception is named for the failing cases on which it behaves alike, and only
    if it fails nothing that the student passes, and behaves alike in at least half of what it
    fails. The one that explains most comes first; a second one may explain what is left.
    Returns {case: misconception}; a case without an explanation is left out.
    """
    explained: dict[str, set[str]] = {}
    for misconception in known:
        wrong = {case for case, evidence in misconception.evidence.items() if evidence}
        if not wrong <= failing.keys():
            continue
        like = {
            case
            for case in wrong
            if alike(failing[case], misconception.evidence[case], rules.get(case, {}))
        }
        # One case in which it looks alike, among many in which it does not, is chance: two
        # different mistakes often end in the same crash.
        if 2 * len(like) >= len(wrong) > 0:
            explained[misconception.name] = like
    named: dict[str, str] = {}
    left = set(failing)
    while left and explained:
        best = max(explained, key=lambda name: len(explained[name] & left))
        gained = explained.pop(best) & left
        if not gained:
            break
        named |= dict.fromkeys(gained, best)
        left -= gained
    return named


@dataclass(frozen=True)
class Expected:
    """What the evidence of one case is judged by."""

    reference: Evidence
    rules: dict[str, Rule] = field(default_factory=dict)
    masks: dict[str, torch.Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What came of one case: its findings (none is a pass), and the misconception behind them."""

    findings: list[Finding]
    misconception: str = ""


def assess(
    expected: dict[str, Expected], known: list[Known], evidence: dict[str, Evidence]
) -> dict[str, Result]:
    """Judge all cases of one component; evidence that is not there fails its case."""
    nothing = Evidence(failure=Failure("missing"))
    findings = {
        case: judge(evidence.get(case, nothing), of.reference, of.rules, of.masks)
        for case, of in expected.items()
    }
    failing = {case: evidence.get(case, nothing) for case, found in findings.items() if found}
    rules = {case: of.rules for case, of in expected.items()}
    named = diagnose(failing, rules, known)
    return {case: Result(found, named.get(case, "")) for case, found in findings.items()}


def known_of(expected: dict[str, Expected], name: str, evidence: dict[str, Evidence]) -> Known:
    """What a misconception's evidence shows: the cases that it fails, and how."""
    wrong = {
        case: evidence[case] if judge(evidence[case], s.reference, s.rules, s.masks) else None
        for case, s in expected.items()
    }
    return Known(name, wrong)
