"""The pictures that never change: SVG, drawn by scripts in the folders of their lessons.

A script has the picture's name and a function `draw` that returns a `Figure`, or several by step:
`moves.py` then draws moves.first.svg and moves.second.svg.
"""

import runpy
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from autograder.errors import AuthoringError
from autograder.language import _
from autograder.lesson.course import Course
from autograder.lesson.lesson import FIGURES, Lesson
from autograder.lessons import figure_one

from .svg import Figure


def derive(lesson: Lesson) -> dict[str, bytes]:
    """The pictures of one lesson: SVG by path from the repository's root."""
    drawn: dict[str, Figure] = {}
    for script in _scripts(lesson):
        made = runpy.run_path(str(script))["draw"]()
        steps = made if isinstance(made, Mapping) else {"": made}
        drawn |= {f"{script.stem}.{step}".rstrip("."): figure for step, figure in steps.items()}
    return {_path(lesson, name): figure.svg().encode() for name, figure in drawn.items()}


def derive_map(course: Course) -> dict[str, bytes]:
    """Figure 1 of the paper as far as each lesson has come: it depends on all lessons before.

    Raises AuthoringError where two lessons have a picture of one name: `wb.show` knows it once.
    """
    names = Counter(path.stem for lesson in course.lessons for path in _scripts(lesson))
    if twice := [name for name, count in names.items() if count > 1]:
        raise AuthoringError(_("two lessons have a picture {name!r}"), name=twice[0])
    return {
        _path(lesson, "figure-1"): figure_one.draw(course, lesson.id[:2]).svg().encode()
        for lesson in course.lessons
    }


def _scripts(lesson: Lesson) -> list[Path]:
    return sorted((lesson.folder / FIGURES).glob("*.py"))


def _path(lesson: Lesson, name: str) -> str:
    return f"course/transformer_workbook/lessons/{lesson.module}/{FIGURES}/{name}.svg"
