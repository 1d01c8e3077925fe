"""The case results of one component, from the evidence that is recorded with the course."""

from collections.abc import Mapping

from ..shared.evidence import Evidence
from .case_results import CaseResult, assess
from .recorded_lessons import (
    contradicted,
    lesson_texts,
    recorded,
    unused_by_right,
    written_right,
)
from .unused import unused


def component_results(
    lesson: str, component: str, evidence: Mapping[str, Evidence], source: str
) -> dict[str, CaseResult]:
    """The results of a component's check, by case, from the evidence of its cases.

    `source` is the student's code: a misconception about a blank that is written right is not
    named. Raises OSError, BadData or KeyError if nothing is recorded, or the file is damaged.
    """
    cases = recorded(lesson, component)
    results = assess(cases.expected, cases.misconceptions, evidence)
    if any(result.misconception for result in results.values()):
        impossible = _impossible(lesson, component, source)
        if any(result.misconception in impossible for result in results.values()):
            possible = [each for each in cases.misconceptions if each.name not in impossible]
            return assess(cases.expected, possible, evidence)
    return results


def _impossible(lesson: str, component: str, source: str) -> set[str]:
    """The misconceptions about statements that are written right.

    None are, if the answer leaves something unused: a right statement is wrong if nothing uses it.
    """
    if _leaves_something_unused(lesson, component, source):
        return set()
    right = written_right(lesson, component, source)
    misconceptions = lesson_texts(lesson)["components"][component]["misconceptions"]
    ruled_out = {name for name, entry in misconceptions.items() if entry["blank"] in right}
    return ruled_out | contradicted(lesson, component, source)


def _leaves_something_unused(lesson: str, component: str, source: str) -> bool:
    """Whether a finished answer makes something that it never uses, and that right answers do."""
    return "____" not in source and bool(unused(source) - {*unused_by_right(lesson, component)})
