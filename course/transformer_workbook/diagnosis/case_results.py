"""Judges all cases of a component, and names the misconception that behaves like it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeVar

from ..shared.evidence import Evidence, Failure
from .compare import RANKS, Expected, Finding, compare, rank
from .evidence_sketches import LazySketch, Sketch, is_like

Key = TypeVar("Key")

NEARLY_ALL = 0.75  # of the failing cases
BOTH = "+"  # between the names of two misconceptions that are recorded together
NO_EVIDENCE = Evidence(failure=Failure("missing"))


@dataclass(frozen=True)
class RecordedMisconception:
    """A misconception's name, and its evidence by case: None for a case that it passes.

    Two at once have BOTH between their names.
    """

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
    named = _misconceptions_by_case(failing, misconceptions)
    return {
        case: CaseResult(case_findings, named.get(case, ""))
        for case, case_findings in findings.items()
    }


def misconceptions_in(results: Mapping[Key, CaseResult]) -> list[str]:
    """The misconceptions that explain failing cases, in their order."""
    names = (name for result in results.values() for name in result.misconception.split(BOTH))
    return list(dict.fromkeys(filter(None, names)))


def unexplained(results: Mapping[Key, CaseResult]) -> list[Key]:
    """The failing cases that no misconception explains."""
    return [key for key, result in results.items() if result.findings and not result.misconception]


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


def behave_alike(misconception: RecordedMisconception, twin: RecordedMisconception) -> bool:
    """Whether nothing tells two recorded misconceptions apart."""
    pairs = ((sketch, twin.evidence[case]) for case, sketch in misconception.evidence.items())
    return all(a and b and is_like(a, b) or not (a or b) for a, b in pairs)


def matching_misconception(
    failing: Mapping[str, LazySketch], misconceptions: Sequence[RecordedMisconception]
) -> str:
    """The misconception that behaves like an answer; empty if none does.

    `failing` holds the evidence of the cases that the answer fails. A misconception is named if it
    fails these cases and no others, and its evidence matches in nearly all of them. Nearly: right
    answers may return different things, such as the weights before or after dropout. Two at once
    have to match in all, for one of them may show in a single case.
    """
    best, most_matching = "", 0
    for misconception in misconceptions:
        wrong = {case: sketch for case, sketch in misconception.evidence.items() if sketch}
        if wrong.keys() == failing.keys():
            matching = sum(failing[case].is_like(sketch) for case, sketch in wrong.items())
            least = (1.0 if BOTH in misconception.name else NEARLY_ALL) * len(failing)
            if matching > most_matching and matching >= least:
                best, most_matching = misconception.name, matching
    return best


class _Part(NamedTuple):
    """A misconception that fails some of the cases that an answer fails, and those it is like."""

    name: str
    wrong: set[str]
    like: set[str]


def _misconceptions_by_case(
    failing: Mapping[str, LazySketch], misconceptions: Sequence[RecordedMisconception]
) -> dict[str, str]:
    """What explains each failing case; cases that nothing explains are left out."""
    if name := matching_misconception(failing, misconceptions) if failing else "":
        return dict.fromkeys(failing, name)
    parts = _parts(failing, misconceptions)
    return _of_two(failing, parts) or _of_some_cases(failing, parts)


def _parts(
    failing: Mapping[str, LazySketch], misconceptions: Sequence[RecordedMisconception]
) -> list[_Part]:
    parts = []
    for misconception in misconceptions:
        wrong = {case: sketch for case, sketch in misconception.evidence.items() if sketch}
        if wrong.keys() < failing.keys() and BOTH not in misconception.name:
            like = {case for case, sketch in wrong.items() if failing[case].is_like(sketch)}
            parts += [_Part(misconception.name, {*wrong}, like)] if like else []
    return parts


def _of_two(failing: Mapping[str, LazySketch], parts: Sequence[_Part]) -> dict[str, str]:
    """Two mistakes at once: each explains the cases that it fails alone, and both nearly all.

    Where several pairs explain as many cases, what these have in common is named.
    """
    pairs = [pair for pair in combinations(parts, 2) if _are_all(failing, *pair)]
    most = max((len(first.like | second.like) for first, second in pairs), default=0)
    best_pairs = [pair for pair in pairs if len(pair[0].like | pair[1].like) == most]
    named = [{part.name for part in pair} for pair in best_pairs]
    common = set.intersection(*named) if named else set()
    explained = [part for pair in best_pairs for part in pair if part.name in common]
    return {case: part.name for part in explained for case in failing if case in part.wrong}


def _are_all(failing: Mapping[str, LazySketch], first: _Part, second: _Part) -> bool:
    return (
        first.wrong | second.wrong == failing.keys()
        and first.wrong - second.wrong <= first.like
        and second.wrong - first.wrong <= second.like
        and len(first.like | second.like) >= NEARLY_ALL * len(failing)
    )


def _of_some_cases(failing: Mapping[str, LazySketch], parts: Sequence[_Part]) -> dict[str, str]:
    """A mistake that is in all cases that it fails, where others fail, too.

    It has to explain nearly all, or all that do not raise.
    """
    raising = {case for case, sketch in failing.items() if sketch.evidence.failure}
    of_all = [
        part
        for part in parts
        if part.like == part.wrong
        and (
            len(part.like) >= NEARLY_ALL * len(failing)
            or (len(part.like) > 1 and part.like == failing.keys() - raising)
        )
    ]
    most = max((len(part.like) for part in of_all), default=0)
    names = {part.name for part in of_all if len(part.like) == most}
    if len(names) != 1:
        return {}
    return {case: part.name for part in of_all if part.name in names for case in part.like}


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
