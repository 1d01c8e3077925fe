"""Finds calls in a lesson's narrative of what is not there: `wb.hint("sclae")`, `wb.shwo.masks()`.

A notebook would only show them to a student. Calls in cells are read as code, those that prose
quotes as text.
"""

import ast
import importlib
import re
import types
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from autograder.errors import AuthoringError, was_meant
from autograder.language import _
from transformer_workbook.shared.syntax import parse

if TYPE_CHECKING:
    from .lesson import Lesson

KnownNames = dict[str, set[str]]  # the names that each function of the workbook knows
PACKAGE = "transformer_workbook"
QUOTED = re.compile(r'wb\.(check|hint|use)\("([^"]*)"')


def check_calls(lesson: "Lesson", components: Collection[str]) -> None:
    """Raise AuthoringError with the line of each call whose name does not exist, all at once.

    `components` are those of the whole course: a lesson may use what a later one builds.
    """
    file = lesson.folder / "lesson.py"
    text = file.read_text(encoding="utf-8")
    try:
        tree = parse(text)
    except SyntaxError as error:
        raise AuthoringError(f"{file}:{error.lineno}: {error.msg}") from error
    known = {
        "check": set(lesson.components),
        "hint": _hinted(lesson),
        "use": set(components),
        "translator.with_yours": set(components),
    }
    found = [*_in_code(tree, known), *_in_prose(text, known)]
    if found:
        lines = (f"{file}:{line}: {message}" for line, message in sorted(found))
        raise AuthoringError("\n".join(lines))


def _in_code(tree: ast.Module, known: KnownNames) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node).startswith("wb."):
            if message := _missing_attribute(ast.unparse(node)):
                yield node.lineno, message
        elif isinstance(node, ast.Call) and ast.unparse(node.func).startswith("wb."):
            name = ast.unparse(node.func).removeprefix("wb.")
            texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            messages = (_missing_name(name, text, known) for text in texts)
            yield from ((node.lineno, message) for message in messages if message)


def _in_prose(text: str, known: KnownNames) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            for function, name in QUOTED.findall(line):
                if message := _missing_name(function, name, known):
                    yield number, message


def _missing_attribute(called: str) -> str:
    """What of `wb.show.masks` does not exist; empty if all of it does."""
    owner: object = importlib.import_module(PACKAGE)
    *parts, last = called.split(".")[1:]
    for part in parts:
        owner = getattr(owner, part, None)
    if not isinstance(owner, types.ModuleType) or hasattr(owner, last):
        return ""  # what belongs to no module is only known while it runs
    return _("{called} does not exist.").format(called=called) + _nearest(last, dir(owner))


def _missing_name(function: str, name: object, known: KnownNames) -> str:
    """Why a function of the workbook does not know a name; empty if it does."""
    if function not in known or not isinstance(name, str) or name in known[function]:
        return ""
    message = _("wb.{function} does not know {name!r}.").format(function=function, name=name)
    return message + _nearest(name, known[function])


def _hinted(lesson: "Lesson") -> set[str]:
    """All that may be asked a hint for: blanks, with or without their component, and bug hunts."""
    found = set()
    for name, component in lesson.components.items():
        found |= {name, *(blank.name for blank in component.blanks)}
        found |= {f"{name}.{blank.name}" for blank in component.blanks}
    return found


def _nearest(name: str, known: Collection[str]) -> str:
    all_known = _(" Known are {names}.").format(names=", ".join(sorted(known)))
    return was_meant(name, known) or all_known
