"""Predict, then run: compares a student's prediction with the result."""

import math
from collections import Counter
from collections.abc import Mapping

from ..shared.language import _


def reveal(guess: object, truth: object, mistakes: Mapping[str, object] | None = None) -> None:
    """Print a prediction next to the result: tensors, shapes, numbers or strings.

    `mistakes` has the likely wrong guesses, by the sentence that says why each is wrong.
    """
    if guess is None or guess is Ellipsis:
        print(_("First write down your guess in the cell above, then run both cells again."))
        return
    matching = [says for says, wrong in (mistakes or {}).items() if _is_near(guess, wrong, truth)]
    guess, truth = _plain(guess), _plain(truth)
    print(_("Your guess: {guess}\nIt is:      {truth}").format(guess=guess, truth=truth))
    if matching:
        print(matching[0])
    else:
        print(_("Right!") if guess == truth else _relation(guess, truth))


def _relation(guess, truth) -> str:
    """How a wrong guess relates to the result."""
    if isinstance(guess, tuple) and isinstance(truth, tuple) and guess:
        if guess == truth[::-1]:
            return _("The numbers are right, in reverse order. Find out why.")
        if Counter(guess) == Counter(truth):
            return _("The numbers are right, but in different places. Find out why.")
        if len(guess) + 1 == len(truth) and not Counter(guess) - Counter(truth):
            return _("One number is missing; the others are right. Find out why.")
        if len(guess) == len(truth) + 1 and not Counter(truth) - Counter(guess):
            return _("There is one number too many; the others are right. Find out why.")
    return _("Not the same. Find out why before you continue.")


def _is_near(guess, wrong, truth) -> bool:
    """Whether a guess is the likely mistake `wrong`; single small numbers are not rounded to 0.

    A number as near to the truth is not: a mistake may be only a thousandth away from it.
    """
    guess, wrong, truth = (
        value.tolist() if hasattr(value, "tolist") else value for value in (guess, wrong, truth)
    )
    if all(isinstance(value, int | float) for value in (guess, wrong, truth)):
        nearer = abs(guess - wrong) < abs(guess - truth)
        return nearer and math.isclose(guess, wrong, rel_tol=0.005)
    return _plain(guess) == _plain(wrong)


def _plain(value):
    """Sequences and tensors as tuples, floats rounded to two digits: 0.33 equals 0.3333."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, list | tuple):
        return tuple(_plain(item) for item in value)
    return value
