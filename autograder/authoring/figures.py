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
from autograder.lesson.translation import ENGLISH, Catalogue, saying
from autograder.lessons import figure_one

from .svg import Figure


def derive(lesson: Lesson, catalogue: Catalogue | None = None) -> dict[str, bytes]:
    """The pictures of one lesson, by path from the repository's root, in a catalogue's language."""
    known, drawn = catalogue or lesson.catalogue(ENGLISH), dict[str, bytes]()
    with saying(known.say):
        for script in _scripts(lesson):
            made = runpy.run_path(str(script))["draw"]()
            steps: Mapping[str, Figure] = made if isinstance(made, Mapping) else {"": made}
            for step, figure in steps.items():
                name = f"{script.stem}.{step}".rstrip(".")
                drawn[_path(lesson, name, known.language)] = figure.svg().encode()
    return drawn


def derive_map(course: Course, language: str = ENGLISH) -> dict[str, bytes]:
    """Figure 1 of the paper as far as each lesson has come: it depends on all lessons before.

    Raises AuthoringError where two lessons have a picture of one name: `wb.show` knows it once.
    """
    names = Counter(path.stem for lesson in course.lessons for path in _scripts(lesson))
    if twice := [name for name, count in names.items() if count > 1]:
        raise AuthoringError(_("two lessons have a picture {name!r}"), name=twice[0])
    catalogues = {lesson.title: lesson.catalogue(language) for lesson in course.lessons}
    fixed = course.lessons[0].catalogue(language).fixed

    def say(text: str) -> str:
        return catalogues[text].say(text) if text in catalogues else fixed(text)

    with saying(say):
        drawn = [figure_one.draw(course, lesson.id[:2]).svg().encode() for lesson in course.lessons]
    return {
        _path(lesson, "figure-1", language): svg
        for lesson, svg in zip(course.lessons, drawn, strict=True)
    }


def _scripts(lesson: Lesson) -> list[Path]:
    return sorted((lesson.folder / FIGURES).glob("*.py"))


def _path(lesson: Lesson, name: str, language: str) -> str:
    folder = FIGURES if language == ENGLISH else f"{FIGURES}/{language}"
    return f"course/transformer_workbook/lessons/{lesson.module}/{folder}/{name}.svg"
