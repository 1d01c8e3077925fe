"""Predict, then run: compares a student's prediction with the result."""

import ast
import inspect
import json
import linecache
import re
import sys
from types import FrameType
from typing import Any

from ..diagnosis.recorded_lessons import lesson_texts
from ..shared.language import _, say
from ..shared.syntax import read
from .guesses import Plain, alone, decimals, flat, nearest, plain, rounded, told
from .model_answers import unveiled
from .session import current_lesson


def reveal(guess: object, truth: object = ...) -> None:
    """Print a prediction, a variable, next to the result: tensors, shapes, numbers or strings.

    A result that is a tuple is a shape; the entries of anything else come as a list or a tensor.
    The lesson knows likely wrong guesses by the variable's name, and what to say of each; it also
    knows the result, where none is given. Of other guesses it says how they relate to the result.
    """
    name = _argument(sys._getframe(1))
    if guess is None or guess is Ellipsis:
        first = _(
            "First write down your guess, in the cell further up that asks for it, and run that "
            "cell; then run this one again."
        )
        print(f"{name}: {first}" if name else first)
        return
    table = _of_lesson(name)
    truth = table.get("truth", truth)
    if truth is Ellipsis:
        say(_("There is nothing to compare with. Run this cell as the notebook came with it."))
        return
    typed, is_shape = guess, isinstance(truth, tuple)
    truth = plain(truth)
    guess = alone(plain(guess), truth)
    measured = truth
    if choices := table.get("choices"):
        guess, truth = nearest(guess, choices), nearest(truth, choices)
    if name:
        print(f"{name}:")
    digits = decimals(flat(truth)) + 2
    result = rounded(truth, digits)
    if hasattr(typed, "tolist"):  # a float32 in full has tails: 0.30000001192092896
        typed = _listed(rounded(plain(typed), digits))
    shown = {
        "guess": _in_python(typed),
        "truth": _in_python(_listed(result) if isinstance(typed, list) else result),
    }
    if choices and measured != truth:
        exact = _in_python(rounded(measured, decimals(flat(measured))))
        shown["truth"] = _("{exact} (nearest choice: {truth})").format(exact=exact, **shown)
    print(_("Your guess: {guess}\nIt is:      {truth}").format(**shown))
    print(told(guess, truth, is_shape, table))


def _of_lesson(name: str) -> dict[str, Any]:
    """What the current lesson knows of a prediction: its table in guesses.toml, or nothing."""
    lesson = current_lesson()
    veiled = lesson_texts(lesson)["guesses"].get(name) if lesson else None
    table: dict[str, Any] = json.loads(unveiled(veiled)) if veiled else {}
    return table


def _argument(frame: FrameType) -> str:
    """The variable that the frame's current call has as its first argument; empty if none."""
    at = inspect.getframeinfo(frame, context=0).positions
    source = "".join(linecache.getlines(frame.f_code.co_filename))
    tree = read(source)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
            place = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
            if at and place == (at.lineno, at.col_offset, at.end_lineno, at.end_col_offset):
                return node.args[0].id
    return ""


def _listed(value: Plain) -> Plain:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _in_python(value: object) -> str:
    """A value as Python writes it, an exponent without its zeros: 2e-8."""
    return re.sub(r"e([-+])0+(?=\d)", r"e\1", repr(value))
