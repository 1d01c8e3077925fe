"""The names of code that a text about any answer to a component may quote."""

import inspect
import re
from functools import cache

import torch
from the_course import COURSE

from autograder.lesson.lesson import Lesson
from transformer_workbook.diagnosis.misconception_text import API, identifiers_in
from transformer_workbook.diagnosis.recorded_lessons import lesson_texts

SHAPE = re.compile("[A-Z]|__[a-z]+__")  # letters of shapes, and Python's own names
TORCH = (torch.nn, torch.nn.functional, torch.nn.utils, torch.nn.Embedding, torch.optim.Optimizer)


def known_names(lesson: Lesson, component: str) -> set[str]:
    """Those of the exercises up to this one, of the signature, of all components, and torch's."""
    entry = lesson_texts(lesson.id)["components"][component]
    so_far = [one for one in COURSE.lessons if one.id <= lesson.id]
    exercise = identifiers_in(" ".join(cell.source for one in so_far for cell in one.narrative))
    signature = {*entry["arguments"], entry["defines"]}
    fixed = exercise | signature | {"training"}
    attributes = {f"self.{name}" for name in fixed}
    texts = re.findall(r'"(\w+)"', lesson.components[component].source)
    return fixed | attributes | {*texts} | _everywhere()


def unknown(quoted: set[str], known: set[str]) -> set[str]:
    return {name for name in quoted - known if not SHAPE.fullmatch(name)}


@cache
def _everywhere() -> set[str]:
    components = {name for lesson in COURSE.lessons for name in lesson.components}
    return API | components | {name for home in TORCH for name in dir(home)} | _keywords()


def _keywords() -> set[str]:
    """The names of the parameters of torch's layers and functions."""
    names = set[str]()
    for home in (torch.nn, torch.nn.functional):
        for one in vars(home).values():
            if callable(one):
                try:
                    names |= {*inspect.signature(one).parameters}
                except (TypeError, ValueError):  # written in C
                    continue
    return names
