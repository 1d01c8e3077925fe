"""Hints, one at a time: each blank has a ladder of them."""

from typing import Any

from ..diagnosis.recorded_lessons import index, lesson_texts
from ..diagnosis.statement_hashes import hash_of_code
from ..own_code.store import own_text
from ..shared.language import _
from ..shared.notebook import notebook_namespace
from .display import Box
from .session import current_lesson

_rungs: dict[tuple[str, str], int] = {}
_invited: set[tuple[str, str]] = set()


def hint(blank: str = "") -> Box:
    """Show and return the next hint for a blank or a bug hunt; the last one is repeated.

    Without a name, it lists the blanks. If nothing has been tried yet, as when all cells of a
    notebook are run at once, the first call gives no hint and says how to continue.
    """
    return _next(blank).show()


def _next(blank: str) -> Box:
    lessons = _current_first()
    for lesson in lessons:
        ladder = _ladders(lesson).get(blank)
        if ladder:
            if _is_first_of_all(lesson, blank):
                return Box(
                    "",
                    _(
                        "There are {rungs} hints for {blank}. Try something in its place first, if "
                        "only a guess: run that cell, then its check, which may say what is wrong. "
                        "To see the first hint, run this cell again."
                    ).format(blank=blank, rungs=len(ladder)),
                )
            rung = min(_rungs.get((lesson, blank), 0) + 1, len(ladder))
            _rungs[lesson, blank] = rung
            more = (
                _("There is another hint: run this cell again.")
                if rung < len(ladder)
                else _("That was the last hint.")
            )
            heading = _("Hint {rung} of {rungs} for {blank}").format(
                rung=rung, rungs=len(ladder), blank=blank
            )
            return Box(heading, ladder[rung - 1], more)
    for lesson in lessons:
        component = lesson_texts(lesson)["components"].get(blank)
        if component:
            return Box(
                "",
                _("The blanks of {component} are: {names}. Ask for one of them.").format(
                    component=blank, names=", ".join(component["blanks"])
                ),
            )
    names = [name for name in _ladders(lessons[0]) if "." not in name]
    text = _("There is no blank called {blank!r} in this lesson. The blanks are: {known}.")
    if not blank:
        text = _('Name a blank: wb.hint("{first}"). The blanks of this lesson are: {known}.')
    return Box("", text.format(blank=blank, first=names[0], known=", ".join(names)))


def _is_first_of_all(lesson: str, blank: str) -> bool:
    """Whether this is the first request for the blank's hints, and nothing has been tried."""
    if (lesson, blank) in _invited or (lesson, blank) in _rungs:
        return False
    _invited.add((lesson, blank))
    return not any(
        _is_tried(component)
        for name, component in lesson_texts(lesson)["components"].items()
        if blank == name or blank.rpartition(".")[2] in component["blanks"]
    )


def _is_tried(component: dict[str, Any]) -> bool:
    """Whether a blank is filled, or a bug hunt is not as it came."""
    source = own_text(component["defines"], notebook_namespace())
    if not component["blanks"]:
        return source != "" and hash_of_code(source) != hash_of_code(component["released"])
    return source != "" and source.count("____") < len(component["blanks"])


def _current_first() -> list[str]:
    """All lessons, the current one first: blanks of several lessons may have the same name."""
    return sorted(index()["lessons"], key=lambda lesson: lesson != current_lesson())


def _ladders(lesson: str) -> dict[str, list[str]]:
    """A lesson's hints by component, by blank, and by "component.blank"."""
    ladders: dict[str, list[str]] = {}
    for name, component in lesson_texts(lesson)["components"].items():
        if component["hints"]:
            ladders[name] = component["hints"]
        for blank, entry in component["blanks"].items():
            ladders[blank] = ladders[f"{name}.{blank}"] = entry["hints"]
    return ladders
