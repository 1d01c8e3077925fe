"""A fresh copy of a cell with blanks, once it is spoilt."""

from ..diagnosis.recorded_lessons import Unknown, lesson_texts
from ..own_code import colab
from ..shared.language import _
from ..shared.notebook import in_notebook, running_shell
from .answer import name_and_lesson
from .display import Box


def reset(component: str) -> None:
    """Put a component's cell, as it came, below the one that is running; no cell is changed."""
    try:
        name, lesson = name_and_lesson(component)
    except Unknown as unknown:
        Box("", str(unknown)).tell()
        return
    released = lesson_texts(lesson)["components"][name]["released"]
    text = _(
        "Here is {component} as it came. What you hand in is the lesson's own cell: copy this into "
        "it, and remove the new one."
    )
    Box("", text.format(component=name)).tell()
    if in_notebook():
        running_shell().set_next_input(released)
    if not in_notebook() or colab.on_colab():  # where no new cell may come of that
        print(released)
