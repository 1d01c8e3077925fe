"""Chooses the cause to show for a component's failures: the surest that is known, or none.

A false cause costs more trust than a missing one. `docs/feedback.md` says what each mechanism adds.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from ..diagnosis.case_results import CaseResult
from ..diagnosis.crashes import dropout_remark
from ..diagnosis.diagnosis import Diagnosis
from ..diagnosis.misconception_text import misconception_text
from ..diagnosis.recorded_lessons import lesson_texts
from ..repair.choice import Repair
from ..repair.describe_repair import sentence

MECHANISMS = ("misconception", "dropout", "repair")  # the surest first


def cause_of(
    lesson: str,
    component: str,
    results: Mapping[str, CaseResult],
    source: str,
    repair: Repair | None = None,
    without: Collection[str] = (),
) -> Diagnosis:
    """The cause of the failures among the results of a component's check; empty if none is known.

    `source` is the student's code, `repair` was found by changing it. Leaves out the mechanisms in
    `without`.
    """
    entry = lesson_texts(lesson)["components"][component]

    def misconception() -> Diagnosis | None:
        name = next(
            (result.misconception for result in results.values() if result.misconception), ""
        )
        if not name:
            return None
        blank = entry["misconceptions"][name]["blank"]
        says = misconception_text(lesson, component, name, source)
        return Diagnosis(says=says, misconception=name, blanks=(blank,) if blank else ())

    def dropping() -> Diagnosis | None:
        return Diagnosis(says=dropout_remark(source))

    def repaired() -> Diagnosis | None:
        return Diagnosis(says=sentence(repair)) if repair else None

    finders = dict(zip(MECHANISMS, (misconception, dropping, repaired), strict=True))
    for mechanism, find in finders.items():
        cause = find() if mechanism not in without else None
        if cause:
            return replace(cause, mechanism=mechanism)
    return Diagnosis()
