"""Diagnoses a component by what is recorded of it, and says what the results amount to."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from ..mutants.source import code_of
from ..shared.evidence import Evidence
from ..shared.language import _
from .as_if import sentence
from .diagnosis import Change, Explanation, Result, assess, most_telling
from .judge import RANKS, rank
from .lesson_index import (
    contradicted,
    explained,
    lesson_texts,
    recorded,
    unused_by_right,
    written_right,
)
from .marks import marks
from .signatures import signature
from .unused import remark

# Wrong answers that fail the same cases, and the share of them that lie in one blank.
ENOUGH, MOST = 3, 0.9


def diagnosed(
    lesson: str, component: str, evidence: Mapping[str, Evidence], source: str
) -> dict[str, Result]:
    """The results of a component's check, by case, from the evidence of its cases.

    `source` is what the student has written. Explanations are read only where failures have no
    name. Raises OSError, BadData or KeyError where nothing is recorded, or that is damaged.
    """
    known = recorded(lesson, component)
    results = assess(known.expected, known.known, evidence)
    if not any(result.findings for result in results.values()):
        return results
    right = written_right(lesson, component, source)
    impossible = _impossible(lesson, component, source, right)
    if all(result.misconception or not result.findings for result in results.values()):
        return _without(results, impossible)
    explanations = [
        _possible(explanation, right, impossible, source)
        for explanation in explained(lesson, component)
    ]
    results = assess(known.expected, known.known, evidence, explanations, marks(source))
    return _without(results, impossible)


def _impossible(lesson: str, component: str, source: str, right: Collection[str]) -> set[str]:
    """The misconceptions of what is written right; none where something right is not used."""
    if of_unused(lesson, component, source):
        return set()
    misconceptions = lesson_texts(lesson)["components"][component]["misconceptions"]
    of_right = {name for name, one in misconceptions.items() if one["blank"] in right}
    return of_right | contradicted(lesson, component, source)


def _without(results: dict[str, Result], names: Collection[str]) -> dict[str, Result]:
    """The results without these misconceptions. No other is named instead: it fits less well."""
    return {
        case: replace(result, misconception="") if result.misconception in names else result
        for case, result in results.items()
    }


def of_unused(lesson: str, component: str, source: str) -> str:
    """A remark on what a wrong answer does not use; empty where there is nothing to say."""
    if "____" in source:
        return ""  # it is not written yet
    return remark(source, unused_by_right(lesson, component))


def _possible(
    explanation: Explanation, right: Collection[str], impossible: Collection[str], source: str
) -> Explanation:
    """An explanation without the changes of what the student has as a right answer has it.

    Where two lines are exchanged, each of them is. `impossible` are misconceptions.
    """
    lines = {code_of(line) for line in source.splitlines()}

    def is_possible(change: Change) -> bool:
        details = change.details
        if change.kind == "both":
            return not {details["misconception"], details["other"]} & {*impossible}
        return change.kind == "order" or (
            details.get("blank") not in right and details.get("line") not in lines
        )

    return replace(explanation, changes=[one for one in explanation.changes if is_possible(one)])


def meaning(results: Mapping[str, Result], lesson: str, component: str) -> str:
    """A sentence on the results of a component's check, by case; empty where nothing is known.

    It tells the recorded change that behaves alike, or else the signature of what came back, or
    else the blank where such failures come from.
    """
    if any(result.misconception for result in results.values()):
        return ""
    change = next((result.change for result in results.values() if result.change), None)
    if change and _is_worth_telling(change, results):
        return sentence(change, component, lesson)
    return signature(results, recorded(lesson, component).inputs) or _place(
        results, lesson, component
    )


def is_worth_a_search(results: Mapping[str, Result]) -> bool:
    """Whether a change of the student's code could tell more than what the results say.

    It cannot where a cause is known, nor where nothing ran that could be changed. A change of right
    answers that names a blank or line alone is no cause yet.
    """
    failing = [result for result in results.values() if result.findings]
    if not failing or any(result.misconception for result in failing):
        return False
    if any(result.change and not _is_of_a_place(result.change) for result in failing):
        return False
    nothing_ran = {"blank", "missing", "forbidden"}
    kinds = {finding.details.get("kind") for result in failing for finding in result.findings}
    return not kinds & nothing_ran


def is_about_values(results: Mapping[str, Result]) -> bool:
    """Whether some results are wrong values, or crashes, and not side effects alone."""
    findings = [finding for result in results.values() for finding in result.findings]
    return any(
        finding.text.startswith("failure.") or rank(finding) >= RANKS.index(("shape", "dtype"))
        for finding in findings
    )


def _place(results: Mapping[str, Result], lesson: str, component: str) -> str:
    """The blank where nearly all known wrong answers lie that fail the same cases."""
    failing = {case for case, result in results.items() if result.findings}
    firsts = [results[case].findings[0] for case in failing]
    if any(finding.text.startswith("failure.") or rank(finding) < len(RANKS) for finding in firsts):
        return ""  # an exception tells its line, other findings their own circumstance
    blanks = Counter[str]()
    for explanation in explained(lesson, component):
        if explanation.evidence.keys() == failing:
            changes = explanation.changes
            blanks.update({change.details.get("blank", "") for change in changes} - {""} or {""})
    misconceptions = lesson_texts(lesson)["components"][component]["misconceptions"]
    for known in recorded(lesson, component).known:
        if {case for case, evidence in known.evidence.items() if evidence} == failing:
            blanks[misconceptions[known.name]["blank"]] += 1
    blank, count = next(iter(blanks.most_common(1)), ("", 0))
    if not blank or count < ENOUGH or count < MOST * blanks.total():
        return ""
    return _(
        "What fails just these cases is, as a rule, a mistake in the part of the blank {blank}."
    ).format(blank=blank)


def _is_of_a_place(change: Change) -> bool:
    return "blank" in change.details or "line" in change.details


def _is_worth_telling(change: Change, results: Mapping[str, Result]) -> bool:
    """Whether a change tells more than the finding that is shown first.

    Where that is about a type, a shape or a side effect, the place of a change alone misleads; so
    it does at a crash, which tells its own, unless a line is missing.
    """
    if not _is_of_a_place(change):
        return True
    first = results[most_telling(results)].findings[0]
    if first.text.startswith("failure."):
        return change.kind == "statement"
    return rank(first) >= RANKS.index(("value",))
