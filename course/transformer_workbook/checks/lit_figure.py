"""The student's progress, as Figure 1 of the paper with the finished parts lit."""

from collections.abc import Iterable

from ..diagnosis.recorded_lessons import index
from ..own_code.store import saved
from ..shared.probing import module_name
from ..show.drawing import LESSONS, Drawing, in_language
from ..show.figure_one import draw
from .session import current_lesson


def progress(current: str | Iterable[str] = ()) -> Drawing:
    """Draw Figure 1, as far as the course has come, with what has passed its check lit.

    `current` is the name of a component to outline, or several; by default, those of the current
    lesson are outlined. Raises ValueError for a name that is not in the figure.
    """
    done = saved()
    lessons = index()["lessons"]
    lesson_now = current_lesson() or ""
    named = {current} if isinstance(current, str) else set(current)
    outlined = named or set(lessons.get(lesson_now, {"components": []})["components"])
    # The map grows with the course; what is built ahead of its lesson is on it, too.
    reached = [
        id
        for id, lesson in lessons.items()
        if id == lesson_now or not {*done, *outlined}.isdisjoint(lesson["components"])
    ]
    last = reached[-1] if lesson_now or named else list(lessons)[-1]
    file = LESSONS / module_name(last) / "figures" / "figure-1.svg"
    return draw(in_language(file), done, outlined)
