"""Answers that people wrote to the components, each with what is misunderstood in it.

A file `COMPONENT.py` (of a bug hunt, `03_bug_hunt_1.py`) holds them as cells, in the folder of the
round in which they were written; `tests/corpus/README.md` says how those of the tests came about.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autograder.errors import WrongUsage
from autograder.lesson.course import read_course
from autograder.lesson.lesson import ROOT, Lesson

CORPUS = ROOT / "tests" / "corpus"
HEAD = re.compile(r"^# %% (right|wrong): *([^|\n]+?) *(?:\|(.*))?$", re.MULTILINE)


class Answer(NamedTuple):
    """An answer: right or wrong, its name, what is misunderstood in it, and its cell."""

    kind: str
    name: str
    cause: str
    source: str


def answers_in(folder: Path) -> dict[tuple[str, str], list[Answer]]:
    """The answers by round and component. Raises WrongUsage where there are none."""
    files = sorted(folder.rglob("*.py"))
    if not files:
        raise WrongUsage(f"there are no answers in {folder}")
    return {(file.parent.name, file.stem): _cells(file.read_text("utf-8")) for file in files}


def _cells(text: str) -> list[Answer]:
    _, *parts = HEAD.split(text)
    return [
        Answer(kind, name, (cause or "").strip(), source.strip("\n"))
        for kind, name, cause, source in zip(*[iter(parts)] * 4, strict=True)
    ]


@cache
def _components() -> dict[str, tuple[Lesson, str]]:
    return {
        f"{lesson.id[:2]}_{name}" if component.is_bug_hunt else name: (lesson, name)
        for lesson in read_course().lessons
        for name, component in lesson.components.items()
    }


def component_of(name: str) -> tuple[Lesson, str]:
    """The lesson and the component of a file's name. Raises WrongUsage for any other name."""
    if name not in _components():
        raise WrongUsage(f"there are answers to {name}, which no lesson has")
    return _components()[name]
