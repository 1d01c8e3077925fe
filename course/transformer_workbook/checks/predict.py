"""Predict, then run: compares a student's prediction with the result."""

import ast
import inspect
import linecache
import math
import re
import sys
from collections.abc import Mapping
from types import FrameType

from ..shared.language import _
from ..shared.syntax import read
from .guesses import Plain, alone, decimals, flat, is_equal, is_number, plain, reason, rounded


def reveal(
    guess: object,
    truth: object,
    mistakes: Mapping[str, object] | None = None,
    within: float = 0.0,
) -> None:
    """Print a prediction next to the result: tensors, shapes, numbers or strings.

    A result that is a tuple is a shape; the entries of anything else come as a list or a tensor.
    `mistakes` has the likely wrong guesses, by the sentence that says why each is wrong; of others
    it says how they relate to the result. A number is right that is off by a share of `within`.
    A guess that the call names as a variable is labelled.
    """
    name = _argument(sys._getframe(1))
    if guess is None or guess is Ellipsis:
        first = _(
            "First write down your guess, in the cell further up that asks for it, and run that "
            "cell; then run this one again."
        )
        print(f"{name}: {first}" if name else first)
        return
    typed = guess.tolist() if hasattr(guess, "tolist") else guess
    is_shape = isinstance(truth, tuple)
    truth = plain(truth)
    guess = alone(plain(guess), truth)
    matching = [
        says for says, wrong in (mistakes or {}).items() if _is_near(guess, plain(wrong), truth)
    ]
    if name:
        print(f"{name}:")
    result = rounded(truth, decimals(flat(truth)) + 2)
    shown = {
        "guess": _in_python(typed),
        "truth": _in_python(_listed(result) if isinstance(typed, list) else result),
    }
    print(_("Your guess: {guess}\nIt is:      {truth}").format(**shown))
    if matching:
        print(matching[0])
    else:
        is_right = is_equal(guess, truth) or (
            is_number(guess) and is_number(truth) and math.isclose(guess, truth, rel_tol=within)
        )
        print(_("Right!") if is_right else reason(guess, truth, is_shape))


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


def _is_near(guess: Plain, wrong: Plain, truth: Plain) -> bool:
    """Whether a guess is the likely mistake `wrong`; single small numbers are not rounded to 0.

    A number as near to the truth is not: a mistake may be only a thousandth away from it.
    """
    if all(is_number(value) for value in (guess, wrong, truth)):
        nearer = abs(guess - wrong) < abs(guess - truth)
        return nearer and math.isclose(guess, wrong, rel_tol=0.005)
    return is_equal(guess, wrong) and not is_equal(guess, truth)


def _listed(value: Plain) -> Plain:
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _in_python(value: object) -> str:
    """A value as Python writes it, an exponent without its zeros: 2e-8."""
    return re.sub(r"e([-+])0+(?=\d)", r"e\1", repr(value))
