"""Chooses the cause to show for a component's failures: the surest that is known, or none.

A false cause costs more trust than a missing one. `docs/feedback.md` says what each mechanism adds.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from ..diagnosis.case_results import CaseResult
from ..diagnosis.crashes import dropout_remark
from ..diagnosis.diagnosis import Diagnosis
from ..diagnosis.finding_sentences import blanks_of_value
from ..diagnosis.misconception_text import is_like_the_template, misconception_text
from ..diagnosis.recorded_lessons import lesson_texts, recorded, released_lines
from ..repair.choice import Repair
from ..repair.describe_repair import sentence
from ..traces.describe_divergence import grids_of, has_other_shape, hint_for, sentences
from ..traces.divergence import FirstDivergence

MECHANISMS = ("misconception", "dropout", "repair", "value")  # the surest first
AFTER_A_SEARCH = ("repair", "value")  # these need a search: the code is changed, or traced


def cause_of(
    lesson: str,
    component: str,
    results: Mapping[str, CaseResult],
    source: str,
    wrong: FirstDivergence | None = None,
    repair: Repair | None = None,
    without: Collection[str] = (),
) -> Diagnosis:
    """The cause of the failures among the results of a component's check; empty if none is known.

    `source` is the student's code; `wrong` was found by tracing it, and `repair` by changing it.
    Leaves out the mechanisms in `without`.
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
        if not repair or (has_other_shape(wrong) and not repair.value and value()):
            return None  # a change that leaves the wrong shape as it is only hides it
        return Diagnosis(says=sentence(repair))

    def value() -> Diagnosis | None:
        if not wrong or not wrong.is_aligned or wrong.runs:
            return None  # if a loop has more or fewer iterations, its values cannot be compared
        if not is_like_the_template(lesson, component, source):
            return None  # a variable of the same name may hold something else there
        says = sentences(
            wrong, recorded(lesson, component).inputs[wrong.case], hint_for(wrong, entry)
        )
        blanks = blanks_of_value(wrong.line, wrong.name, released_lines(entry))
        return Diagnosis(says=says, blanks=tuple(blanks), case=wrong.case, grids=grids_of(wrong))

    finders = dict(zip(MECHANISMS, (misconception, dropping, repaired, value), strict=True))
    for mechanism, find in finders.items():
        cause = find() if mechanism not in without else None
        if cause:
            return replace(cause, mechanism=mechanism)
    return Diagnosis()
