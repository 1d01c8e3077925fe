"""The cause to show for a component's failures: the misconception that explains them, or none.

A false cause costs more trust than a missing one. `docs/feedback.md` says how often it is right.
"""

from collections.abc import Mapping

from ..diagnosis.case_results import CaseResult
from ..diagnosis.diagnosis import Diagnosis
from ..diagnosis.misconception_text import misconception_text
from ..diagnosis.recorded_lessons import lesson_texts


def cause_of(
    lesson: str, component: str, results: Mapping[str, CaseResult], source: str
) -> Diagnosis:
    """The cause of the failures among the results of a component's check; empty if none is known.

    `source` is the student's code.
    """
    name = next(filter(None, (result.misconception for result in results.values())), "")
    if not name:
        return Diagnosis()
    blank = lesson_texts(lesson)["components"][component]["misconceptions"][name]["blank"]
    says = misconception_text(lesson, component, name, source)
    return Diagnosis(name, says, (blank,) if blank else ())
