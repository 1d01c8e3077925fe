"""The case results of one component, from the evidence that is recorded with the course."""

from collections.abc import Mapping

from ..shared.evidence import Evidence
from .case_results import CaseResult, assess, misconceptions_in, unexplained
from .misconception_text import words_of_behavior
from .recorded_lessons import contradicted, lesson_texts, recorded, written_right


def component_results(
    lesson: str, component: str, evidence: Mapping[str, Evidence], source: str
) -> dict[str, CaseResult]:
    """The results of a component's check, by case, from the evidence of its cases.

    `source` is the student's code: a misconception about a blank that is written right is named
    only where no other is alike, and for its words about behavior. Raises OSError, BadData or
    KeyError if nothing is recorded, or the file is damaged.
    """
    cases = recorded(lesson, component)
    results = assess(cases.expected, cases.misconceptions, evidence)
    named = misconceptions_in(results)
    impossible = impossible_misconceptions(lesson, component, source) if named else set()
    if impossible.isdisjoint(named):
        return results
    possible = [known for known in cases.misconceptions if impossible.isdisjoint(known.names)]
    plausible = assess(cases.expected, possible, evidence)
    behave_so = not misconceptions_in(plausible) and _behaves(lesson, component, named, results)
    return results if behave_so else plausible


def _behaves(
    lesson: str, component: str, named: list[str], results: Mapping[str, CaseResult]
) -> bool:
    """Whether one misconception has words about behavior, and no case ends in an error."""
    findings = [finding for result in results.values() for finding in result.findings]
    return (
        len(named) == 1
        and bool(words_of_behavior(lesson, component, named[0]))
        and not unexplained(results)
        and not any(finding.kind.startswith("failure.") for finding in findings)
    )


def impossible_misconceptions(lesson: str, component: str, source: str) -> set[str]:
    """The misconceptions about statements that are written right."""
    right = written_right(lesson, component, source)
    misconceptions = lesson_texts(lesson)["components"][component]["misconceptions"]
    ruled_out = {name for name, entry in misconceptions.items() if entry["blank"] in right}
    return ruled_out | contradicted(lesson, component, source)
