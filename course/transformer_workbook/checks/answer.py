"""Finds what a check is to try: the component as the student defined it last, and its code."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..diagnosis.compare import Finding
from ..diagnosis.finding_sentences import explain
from ..diagnosis.recorded_lessons import Unknown, index, lesson_of, lesson_texts
from ..own_code.cells import successor
from ..own_code.store import is_saved_version, is_stale, is_stand_in, own_text
from ..shared.evidence import Failure
from ..shared.language import _
from ..shared.notebook import notebook_namespace
from .report import Check
from .session import current_lesson


class NotChecked(Exception):
    """There is nothing to try; `report` says what to do instead."""

    def __init__(self, component: str, note: str):
        super().__init__(note)
        self.report = Check(component, [], note=note)


@dataclass(frozen=True)
class Answer:
    """A component as a student defined it.

    `name` is that of the lesson's index, `defined` the object, `cells` the globals of the student's
    cells, in which its functions look names up.
    """

    lesson: str
    name: str
    defined: object
    cells: dict[str, Any]

    @cached_property
    def entry(self) -> dict[str, Any]:
        """What the lesson's texts have of the component."""
        entry: dict[str, Any] = lesson_texts(self.lesson)["components"][self.name]
        return entry

    @property
    def defines(self) -> str:
        """The name that the component's cell defines."""
        name: str = self.entry["defines"]
        return name

    @property
    def names(self) -> dict[str, Any]:
        """The names of the cells, of which the component's stands for this object."""
        return {**self.cells, self.defines: self.defined}

    @cached_property
    def source(self) -> str:
        """Its code; empty if its cell is not found."""
        return own_text(self.defines, self.names)


def find_answer(component: object) -> Answer:
    """The answer that a check of `component` is to try: its name, or the object itself.

    Raises NotChecked if there is none of that name, or if it is not what the cells define now.
    """
    try:
        name, lesson = name_and_lesson(component)
    except Unknown as unknown:
        raise NotChecked(str(component), str(unknown)) from None
    cells = notebook_namespace()
    defines = lesson_texts(lesson)["components"][name]["defines"]
    is_given = not isinstance(component, str)
    if not is_given and defines not in cells:
        missing = Finding("", "failure.missing", vars(Failure("missing")))
        note = explain(missing, defines)
        definition = re.compile(rf"^\s*#[ #]*(?:def|class) {re.escape(defines)}\b", re.MULTILINE)
        if any(map(definition.search, cells.get("In", ()))):
            note = _("All lines of {component} are comments, so nothing of it runs. Remove the #.")
            note = note.format(component=defines)
        raise NotChecked(defines, note)
    answer = Answer(lesson, name, component if is_given else cells[defines], cells)
    if note := _why_not_checked(answer):
        raise NotChecked(defines, note)
    return answer


def name_and_lesson(component: object) -> tuple[str, str]:
    """The component's name in the index and its lesson, the current one first. Raises Unknown."""
    if component is None:
        names = list(lesson_texts(current_lesson() or next(iter(index()["lessons"])))["components"])
        raise Unknown(
            _('Name a component: wb.check("{name}"). Those of this lesson are: {names}.').format(
                name=names[0], names=", ".join(names)
            )
        )
    name = component if isinstance(component, str) else getattr(component, "__name__", "")
    if not name:
        raise Unknown(
            _(
                "check takes the name of a component or the component itself, but got {actual}."
            ).format(actual=type(component).__name__)
        )
    lesson = current_lesson()
    if lesson:
        components = lesson_texts(lesson)["components"]
        if name in components:
            return name, lesson
        for hunt, entry in components.items():
            if entry["defines"] == name:
                return hunt, lesson
    return name, lesson_of(name)


def _why_not_checked(answer: Answer) -> str:
    """What to do before an answer can be checked; empty if it can be."""
    defines = answer.defines
    if is_stand_in(answer.defined):
        return _stand_in_note(defines)
    if (new_name := successor(defines, answer.names)) is not None:
        return _renamed_note(defines, new_name)
    if is_stale(defines, answer.names):
        return _stale_note(defines)
    if answer.source and _is_replaced(answer):
        return _replaced_note(defines)
    return ""


def _is_replaced(answer: Answer) -> bool:
    """Whether a cell has defined another object since, in place of the one to be checked."""
    current = answer.cells.get(answer.defines)
    is_a_cells = not is_saved_version(current) and not is_stand_in(current)
    return current is not None and current is not answer.defined and is_a_cells


def _stand_in_note(component: str) -> str:
    return _(
        "{component} is the stand-in from the course's package here, which wb.use gave. Run the "
        "cell with your own {component}, then check again."
    ).format(component=component)


def _renamed_note(component: str, now: str) -> str:
    """What to do if a component's cell no longer defines it, but defines `now`, if not empty."""
    if now:
        return _(
            "Your cell now defines {now}, and the check looks for {component}. What an earlier run "
            "of the cell defined is not checked. Write {component} instead of {now}, run the cell, "
            "then check again."
        ).format(component=component, now=now)
    return _(
        "The cell that defined {component} has run again since, and defines it no more. What its "
        "earlier run defined is not checked. Run the cell that defines {component} now, then check "
        "again."
    ).format(component=component)


def _stale_note(component: str) -> str:
    """What to do if the version that ran is out of date: the last one may have fixed its faults."""
    return _(
        "Your last version of the cell that defines {component} did not run to its end, and the "
        "version before it is out of date. Fix that cell, run it, then check again."
    ).format(component=component)


def _replaced_note(component: str) -> str:
    return _(
        "What was passed to this check is not the one that {component} names now. To check that "
        'one, run wb.check("{component}").'
    ).format(component=component)
