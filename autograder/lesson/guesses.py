"""guesses.toml: a lesson's predictions by the variable that holds one, with likely wrong guesses.

[output_shape]
truth = [1, 2]         # only if it is constant; else the notebook computes it
within = 0.02          # by what share a number may be off
choices = [0, 10, 100] # what is asked for is the nearest of these
wrong = [{ guess = [2, 1], says = "why it is not so" }]
"""

import ast
from collections.abc import Iterator
from typing import Any

from autograder.errors import AuthoringError
from autograder.language import _
from transformer_workbook.shared.syntax import parse

from .author_files import read_toml
from .cell_code import python_of
from .lesson import GUESSES, Lesson

Table = dict[str, Any]


def guesses_of(lesson: Lesson) -> dict[str, Table]:
    """The tables of a lesson, by variable; none without the file. Raises AuthoringError."""
    file = lesson.folder / GUESSES
    tables: dict[str, Table] = read_toml(file) if file.is_file() else {}
    calls = {ast.unparse(call.args[0]): call for call in _reveals(lesson)}
    problems = [
        _("[{name}]: no wb.reveal in lesson.py compares it").format(name=name)
        for name in tables
        if name not in calls
    ]
    problems += [fault for name, call in calls.items() for fault in _in_call(name, call, tables)]
    problems += [fault for name, table in tables.items() for fault in _in_table(name, table)]
    if problems:
        raise AuthoringError("\n".join(f"{file}: {problem}" for problem in problems))
    return tables


def _reveals(lesson: Lesson) -> Iterator[ast.Call]:
    """All calls of wb.reveal in a lesson's code."""
    for cell in lesson.narrative:
        if cell.kind == "code":
            for node in ast.walk(parse(python_of(cell.source))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "wb.reveal":
                    yield node


def _in_call(name: str, call: ast.Call, tables: dict[str, Table]) -> Iterator[str]:
    """What is wrong with where the truth is: in the table if it is constant, else in the call."""
    has_truth, computed = "truth" in tables.get(name, {}), call.args[1:]
    if bool(computed) == has_truth:
        yield _("[{name}]: truth has to be either here or in wb.reveal").format(name=name)
    if computed and not any(isinstance(node, ast.Name) for node in ast.walk(computed[0])):
        text = _("[{name}]: wb.reveal gives a constant truth away: it has to be here")
        yield text.format(name=name)


def _in_table(name: str, table: Table) -> Iterator[str]:
    listed = table.get("wrong", [])
    says = [entry["says"] for entry in listed]
    for text in sorted({text for text in says if says.count(text) > 1}):
        yield _("[{name}]: listed twice: {text}").format(name=name, text=text)
    for guess in (entry["guess"] for entry in listed):
        if "truth" in table and guess == table["truth"]:
            text = _("[{name}]: {guess} is listed as wrong, and is the truth")
            yield text.format(name=name, guess=guess)
