"""The cause to show for a component's failures: the misconceptions that explain them, or none.

A false cause costs more trust than a missing one. `docs/feedback.md` says how often it is right.
"""

from collections.abc import Mapping

from ..diagnosis.case_results import CaseResult, misconceptions_in, unexplained
from ..diagnosis.diagnosis import Diagnosis
from ..diagnosis.misconception_text import is_like_the_template, misconception_text
from ..diagnosis.recorded_lessons import lesson_texts
from ..shared.language import _


def cause_of(
    lesson: str, component: str, results: Mapping[str, CaseResult], source: str
) -> Diagnosis:
    """The cause of the failures among the results of a component's check; empty if none is known.

    `source` is the student's code.
    """
    names = misconceptions_in(results)
    if not names:
        return Diagnosis()
    entries = lesson_texts(lesson)["components"][component]["misconceptions"]
    texts = [misconception_text(lesson, component, name, source) for name in names]
    says = _joined([*dict.fromkeys(texts)], results)
    blanks = {entries[name]["blank"]: None for name in names if entries[name]["blank"]}
    if is_like_the_template(lesson, component, source):
        for name in names:
            blanks |= dict.fromkeys(entries[name].get("blanks", ()))
    return Diagnosis(names[0], says, tuple(blanks))


def _joined(texts: list[str], results: Mapping[str, CaseResult]) -> str:
    """What is said of the misconceptions that explain all failing cases, or some."""
    first, *further = texts
    if further:
        return _("Two things are wrong. First: {first} Second: {second}").format(
            first=first, second=further[0]
        )
    failing = sum(bool(result.findings) for result in results.values())
    if count := len(unexplained(results)):
        return _(
            "{text} That explains {count} of the {of} checks that fail. If others still fail once "
            "it is fixed, something else is wrong, too."
        ).format(text=first, count=failing - count, of=failing)
    return first
