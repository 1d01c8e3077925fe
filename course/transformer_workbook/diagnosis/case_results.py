"""Judges all cases of a component, and names the misconception that behaves like it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..shared.evidence import Evidence, Failure
from .compare import RANKS, Expected, Finding, compare, rank
from .evidence_sketches import LazySketch, Sketch

Key = TypeVar("Key")

NEARLY_ALL = 0.75  # of the failing cases
NO_EVIDENCE = Evidence(failure=Failure("missing"))


@dataclass(frozen=True)
class RecordedMisconception:
    """A misconception's name, and its evidence by case: None for a case that it passes."""

    name: str
    evidence: dict[str, Sketch | None]


@dataclass(frozen=True)
class CaseResult:
    """The findings of one case (none if it passed), and the misconception that explains them."""

    findings: list[Finding]
    misconception: str = ""


def assess(
    expected: dict[str, Expected],
    misconceptions: Sequence[RecordedMisconception],
    evidence: Mapping[str, Evidence],
) -> dict[str, CaseResult]:
    """Judge all cases of one component, given by case name; a case without evidence fails.

    Raises ValueError when a reference itself failed.
    """
    evidence = {case: evidence.get(case, NO_EVIDENCE) for case in expected}
    findings = {case: compare(evidence[case], criteria) for case, criteria in expected.items()}
    failing = {
        case: LazySketch(evidence[case], expected[case].rules)
        for case, case_findings in findings.items()
        if case_findings
    }
    misconception = matching_misconception(failing, misconceptions) if failing else ""
    return {
        case: CaseResult(case_findings, misconception if case_findings else "")
        for case, case_findings in findings.items()
    }


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
        case: Sketch.from_evidence(evidence[case], criteria.rules)
        if compare(evidence[case], criteria)
        else None
        for case, criteria in expected.items()
    }


def matching_misconception(
    failing: Mapping[str, LazySketch], misconceptions: Sequence[RecordedMisconception]
) -> str:
    """The misconception that behaves like an answer; empty if none does.

    `failing` holds the evidence of the cases that the answer fails. A misconception is named if it
    fails these cases and no others, and its evidence matches in nearly all of them. Nearly: right
    answers may return different things, such as the weights before or after dropout.
    """
    best, most_matching = "", 0
    for misconception in misconceptions:
        wrong = {case: sketch for case, sketch in misconception.evidence.items() if sketch}
        if wrong.keys() == failing.keys():
            matching = sum(failing[case].is_like(sketch) for case, sketch in wrong.items())
            if matching > most_matching:
                best, most_matching = misconception.name, matching
    return best if most_matching >= NEARLY_ALL * len(failing) else ""


def most_telling(results: Mapping[Key, CaseResult]) -> Key:
    """The key of the result to show first; the first key if all passed.

    That is the first failing one, unless a later one has a more telling finding than numbers that
    differ. A later crash does not come first: it may have another reason.
    """
    failing = [key for key, result in results.items() if result.findings] or list(results)[:1]
    return min(failing, key=lambda key: _rank_of(results[key], key == failing[0]))


def _rank_of(result: CaseResult, is_first: bool) -> int:
    first = result.findings[0] if result.findings else Finding("", "failure.")
    if first.kind.startswith("failure."):
        return -1 if is_first else len(RANKS)
    return rank(first)
