"""The student's progress, as Figure 1 of the paper with the finished parts lit."""

from collections.abc import Iterable

from ..diagnosis.recorded_lessons import index
from ..own_code.store import saved
from ..show import figure_one
from ..show.picture import Picture
from .session import current_lesson


def progress(current: str | Iterable[str] = ()) -> Picture:
    """Draw Figure 1, as far as the course has come, with what has passed its check lit.

    `current` is the name of a component to outline, or several; by default, those of the current
    lesson are outlined. Raises ValueError for a name that is not in the figure.
    """
    current = [current] if isinstance(current, str) else current
    lesson = current_lesson() or ""
    lessons = index()["lessons"]
    outlined = frozenset(current or lessons.get(lesson, {"components": []})["components"])
    more = figure_one.more_parts(
        {id: (entry["title"], entry["components"]) for id, entry in lessons.items()}
    )
    return figure_one.draw(
        done=saved(),
        current=outlined,
        upto=lesson[:2],
        more=more,
        beyond=[id[:2] for id, entry in lessons.items() if entry["beyond"]],
    )
