"""Finds names in a lesson's narrative that the workbook does not know: `wb.hint("sclae")`.

A notebook would only show them to a student. Proof 9 runs all cells, and finds what else is wrong.
"""

import re
from collections.abc import Collection

from autograder.errors import AuthoringError, was_meant
from autograder.language import _

from .author_files import read_source
from .lesson import Lesson

NAMED = re.compile(r'wb\.(check|hint|use)\("([^"]*)"')


def check_calls(lesson: Lesson, components: Collection[str]) -> None:
    """Raise AuthoringError with the line of each name that is not there, all at once.

    `components` are those of the whole course: a lesson may use what a later one builds.
    """
    names = {"check": set(lesson.components), "hint": _hinted(lesson), "use": set(components)}
    file, messages = lesson.folder / "lesson.py", []
    for number, line in enumerate(read_source(file).splitlines(), 1):
        for function, name in NAMED.findall(line):
            if name not in names[function]:
                message = _("{file}:{line}: wb.{function} does not know {name!r}.{close}")
                message = message.format(file=file, line=number, function=function, name=name,
                                         close=was_meant(name, names[function]))  # fmt: skip
                messages.append(message)
    if messages:
        raise AuthoringError("\n".join(messages))


def _hinted(lesson: Lesson) -> set[str]:
    """All that may be asked a hint for: blanks, with or without their component, and bug hunts."""
    names = set(lesson.components)
    for component in lesson.components.values():
        names |= {blank.name for blank in component.blanks}
        names |= {f"{component.name}.{blank.name}" for blank in component.blanks}
    return names
