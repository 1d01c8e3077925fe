"""Chooses the cause to show for a component's failures: the surest that is known, or none.

A false cause costs more trust than a missing one. `docs/feedback.md` says what each mechanism adds.
"""

from collections.abc import Mapping

from ..diagnosis.case_results import CaseResult
from ..diagnosis.diagnosis import Diagnosis
from ..diagnosis.misconception_text import misconception_text
from ..diagnosis.recorded_lessons import lesson_texts
from ..repair.found_repair import Repair, sentence


def cause_of(
    lesson: str,
    component: str,
    results: Mapping[str, CaseResult],
    source: str,
    repair: Repair | None = None,
) -> Diagnosis:
    """The cause of the failures among the results of a component's check; empty if none is known.

    `source` is the student's code, `repair` was found by changing it.
    """
    misconception = next(filter(None, (result.misconception for result in results.values())), "")
    if misconception:
        return _of_misconception(lesson, component, misconception, source)
    return Diagnosis(says=sentence(repair), mechanism="repair") if repair else Diagnosis()


def _of_misconception(lesson: str, component: str, misconception: str, source: str) -> Diagnosis:
    blank = lesson_texts(lesson)["components"][component]["misconceptions"][misconception]["blank"]
    says = misconception_text(lesson, component, misconception, source)
    return Diagnosis(misconception, says, "misconception", (blank,) if blank else ())
