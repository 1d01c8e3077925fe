"""Judges all cases of a component, and names the misconception that behaves like it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..shared.evidence import Evidence, Failure
from .judge import RANKS, Expected, Finding, judge, rank
from .sketches import Comparable, Sketch

Key = TypeVar("Key")

NEARLY_ALL = 0.75  # of the failing cases
NO_EVIDENCE = Evidence(failure=Failure("missing"))


@dataclass(frozen=True)
class RecordedMisconception:
    """A misconception: its name, and its evidence by case; None in a case that it passes."""

    name: str
    evidence: dict[str, Sketch | None]


@dataclass(frozen=True)
class Result:
    """The findings of one case (none if it passed), and the misconception that explains them."""

    findings: list[Finding]
    misconception: str = ""


def assess(
    expected: dict[str, Expected],
    known: Sequence[RecordedMisconception],
    evidence: Mapping[str, Evidence],
) -> dict[str, Result]:
    """Judge all cases of one component, given by case name; a case without evidence fails.

    Raises ValueError when a reference itself failed.
    """
    evidence = {case: evidence.get(case, NO_EVIDENCE) for case in expected}
    findings = {
        case: judge(evidence[case], of_case.reference, of_case.rules, of_case.masks)
        for case, of_case in expected.items()
    }
    failing = {
        case: Comparable(evidence[case], expected[case].rules)
        for case, found in findings.items()
        if found
    }
    named = diagnose(failing, known) if failing else ""
    return {case: Result(found, named if found else "") for case, found in findings.items()}


def recorded_misconception(
    expected: dict[str, Expected], name: str, evidence: dict[str, Evidence]
) -> RecordedMisconception:
    """A misconception with its evidence in the cases that it fails."""
    return RecordedMisconception(name, failed_evidence(expected, evidence))


def failed_evidence(
    expected: dict[str, Expected], evidence: dict[str, Evidence]
) -> dict[str, Sketch | None]:
    """The sketches of a wrong answer's evidence; None in a case that it passes."""
    return {
        case: Sketch.of(evidence[case], of_case.rules)
        if judge(evidence[case], of_case.reference, of_case.rules, of_case.masks)
        else None
        for case, of_case in expected.items()
    }


def diagnose(failing: Mapping[str, Comparable], known: Sequence[RecordedMisconception]) -> str:
    """The misconception that behaves like an answer; empty where none does.

    `failing` holds the evidence of the cases that the answer fails. A misconception is named if it
    fails these cases and no others, and behaves alike in nearly all of them: what right answers are
    free to return may differ, such as weights before or after dropout.
    """
    best, most = "", 0
    for misconception in known:
        wrong = {case: sketch for case, sketch in misconception.evidence.items() if sketch}
        if wrong.keys() == failing.keys():
            alike = sum(failing[case].is_like(sketch) for case, sketch in wrong.items())
            if alike > most:
                best, most = misconception.name, alike
    return best if most >= NEARLY_ALL * len(failing) else ""


def most_telling(results: Mapping[Key, Result]) -> Key:
    """The key of the result to show first; the first key where all passed.

    That is the first failing one, unless a later one has a more telling finding than numbers that
    differ. A crash stays where it is: another one may crash for another reason.
    """
    failing = [key for key, result in results.items() if result.findings] or list(results)[:1]
    return min(failing, key=lambda key: _rank_of(results[key], key == failing[0]))


def _rank_of(result: Result, is_first: bool) -> int:
    first = result.findings[0] if result.findings else Finding("", "failure.")
    if first.text.startswith("failure."):
        return -1 if is_first else len(RANKS)
    return rank(first)
