"""Why a component is wrong: the known mistake, or the change, that explains its evidence.

`assess` judges all cases of a component. `diagnose` compares those that failed with what is known
of wrong answers: the lesson's misconceptions, which it names; and changes of right answers, found
by rule and recorded with the course, of which one has to behave alike in every case.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import torch

from ..shared.evidence import Evidence, Failure
from .judge import RANKS, Expected, Finding, judge, rank
from .sketches import Comparable, Sketch

Key = TypeVar("Key")

NO_EVIDENCE = Evidence(failure=Failure("missing"))


@dataclass(frozen=True)
class Known:
    """A misconception: its name, and its evidence by case; None in a case that it passes."""

    name: str
    evidence: dict[str, Sketch | None]


@dataclass(frozen=True)
class Change:
    """A change of a right answer, in the words of `as_if`: its kind, and what the words name.

    `mark` is that of the changed statement, see `marks`; empty where no one statement was changed.
    """

    kind: str
    details: dict[str, str] = field(default_factory=dict)
    mark: str = ""


@dataclass(frozen=True)
class Explanation:
    """Changes that behave alike, the most telling one first, and their evidence where they fail."""

    changes: list[Change]
    evidence: dict[str, Sketch]


@dataclass(frozen=True)
class Result:
    """The findings of one case (none if it passed), and what explains them, if anything does.

    That is a misconception, or else a change.
    """

    findings: list[Finding]
    misconception: str = ""
    change: Change | None = None


def assess(
    expected: dict[str, Expected],
    known: Sequence[Known],
    evidence: Mapping[str, Evidence],
    explanations: Sequence[Explanation] = (),
    written: Collection[str] = (),
) -> dict[str, Result]:
    """Judge all cases of one component, given by case name; a case without evidence fails.

    `written` are the marks of the student's statements. Raises ValueError when a reference itself
    failed.
    """
    evidence = {case: evidence.get(case, NO_EVIDENCE) for case in expected}
    findings = {
        case: judge(evidence[case], of_case.reference, of_case.rules, of_case.masks)
        for case, of_case in expected.items()
    }
    failing = {case: evidence[case] for case, found in findings.items() if found}
    comparable = {case: Comparable(failing[case], expected[case].rules) for case in failing}
    named = diagnose(comparable, known)
    if len(named) < len(failing) and any(map(_has_numbers, failing.values())):
        change = explain_all(comparable, explanations, written)
        if change:
            return {
                case: Result(found, change=change if found else None)
                for case, found in findings.items()
            }
    return {case: Result(found, named.get(case, "")) for case, found in findings.items()}


def known_of(expected: dict[str, Expected], name: str, evidence: dict[str, Evidence]) -> Known:
    """A misconception with its evidence in the cases that it fails."""
    return Known(name, failed_evidence(expected, evidence))


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


def diagnose(failing: Mapping[str, Comparable], known: Sequence[Known]) -> dict[str, str]:
    """Name the misconception behind each failing case, where one explains it.

    `failing` holds the evidence of the cases that a component failed, by case. A name is a claim:
    it is given only to a misconception that fails nothing which the student passes, and behaves
    alike in at least half of what it fails, and in at least half of the student's failing cases
    that no other explains. The one that explains most comes first.
    Returns {case: misconception}; a case without an explanation is left out.
    """
    candidates: dict[str, set[str]] = {}  # the cases on which each misconception behaves alike
    for misconception in known:
        wrong = {case for case, evidence in misconception.evidence.items() if evidence}
        if not wrong <= failing.keys():
            continue
        matching = _matching(failing, misconception.evidence, wrong)
        # One match among many cases may be chance: different mistakes often end in the same crash.
        if 2 * len(matching) >= len(wrong) > 0:
            candidates[misconception.name] = matching
    explained: dict[str, str] = {}
    unexplained = set(failing)
    while unexplained and candidates:
        best = max(candidates, key=lambda name: len(candidates[name] & unexplained))
        gained = candidates.pop(best) & unexplained
        if 2 * len(gained) < len(unexplained):
            break
        explained |= dict.fromkeys(gained, best)
        unexplained -= gained
    return explained


def explain_all(
    failing: Mapping[str, Comparable],
    explanations: Sequence[Explanation],
    written: Collection[str] = (),
) -> Change | None:
    """The change that fails exactly the failing cases, with the same evidence in each of them.

    Where several do, one whose statement the student has written comes first. None where none does.
    """
    fitting = [
        change
        for explanation in explanations
        if explanation.evidence.keys() == failing.keys()
        and _matching(failing, explanation.evidence, failing.keys()) == failing.keys()
        for change in explanation.changes
    ]
    return min(fitting, key=lambda change: change.mark not in written, default=None)


def _has_numbers(evidence: Evidence) -> bool:
    """Whether evidence is more than infinities and NaN, which have many causes.

    An exception has its own words.
    """
    if not evidence.tensors:
        return True
    return any(bool(torch.isfinite(tensor).any()) for tensor in evidence.tensors.values())


def _matching(
    failing: Mapping[str, Comparable],
    evidence: Mapping[str, Sketch | None],
    cases: Collection[str],
) -> set[str]:
    """The cases on which the student's evidence is like the other."""
    return {case for case in cases if (other := evidence[case]) and failing[case].is_like(other)}


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
