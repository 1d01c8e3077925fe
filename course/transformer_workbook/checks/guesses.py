"""Wrong predictions: what kind of thing a guess is, seen beside the result."""

import ast
import difflib
import math
from collections import Counter
from decimal import Decimal
from typing import Any, TypeGuard

from ..shared.language import _, ngettext

Plain = Any  # a number, True or False, a text, None, or nested tuples of such
_Sequence = tuple[Plain, ...]


def plain(value: Any) -> Plain:
    """Tensors and sequences as tuples, everything else as it is."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return tuple(plain(item) for item in value)
    return value


def is_number(value: Plain) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def flat(value: Plain) -> list[Plain]:
    """All items of nested tuples, in order."""
    if not isinstance(value, tuple):
        return [value]
    return [item for part in value for item in flat(part)]


def shape(value: Plain) -> tuple[int, ...]:
    """The sizes of nested tuples, by their first items."""
    return (len(value), *shape(value[0])) if isinstance(value, tuple) and value else ()


def decimals(numbers: list[Plain]) -> int:
    """To how many decimals numbers are compared: two, and more where all of them are small."""
    largest = max((abs(number) for number in numbers if is_number(number)), default=0)
    if not 0 < largest < 0.1:
        return 2
    return 1 - math.floor(math.log10(largest))


def alone(guess: Plain, truth: Plain) -> Plain:
    """A plain guess, as the number in it where one number is asked and it is a tensor of one."""
    return flat(guess)[0] if is_number(truth) and len(flat(guess)) == 1 else guess


def is_equal(guess: Plain, truth: Plain) -> bool:
    """Whether plain values agree: 0.33 and 1/3, 1.3 and 4/3, 2e-8 and 2.04e-8; not 2e-8 and 0."""
    if isinstance(guess, str) and isinstance(truth, str):
        return guess.strip().casefold() == truth.strip().casefold()
    numbers, guessed = flat(truth), flat(guess)
    if shape(guess) != shape(truth) or len(guessed) != len(numbers):
        return False
    if not all(isinstance(number, int | float) for number in (*numbers, *guessed)):
        return bool(guess == truth)
    if len(numbers) == 1 and not numbers[0]:
        return not guessed[0]
    digits = decimals(numbers)
    return all(
        round(guessed_number, digits) == round(number, digits)
        or (not guessed_number and abs(number) < 1e-6)
        or _is_rounded(guessed_number, number)
        for guessed_number, number in zip(guessed, numbers, strict=True)
    )


def _is_rounded(guess: float, truth: float) -> bool:
    """Whether a guess is the truth to fewer decimals, with two digits at least: 1.3 for 1.333."""
    if not isinstance(guess, float) or guess.is_integer():
        return False
    _sign, digits, exponent = Decimal(repr(guess)).as_tuple()
    return isinstance(exponent, int) and len(digits) > 1 and round(truth, -exponent) == guess


def rounded(value: Plain, digits: int) -> Plain:
    """All floats to so many digits."""
    if isinstance(value, tuple):
        return tuple(rounded(item, digits) for item in value)
    return round(value, digits) + 0.0 if isinstance(value, float) else value  # not -0.0


def nearest(value: Plain, choices: list[float]) -> Plain:
    """A number as the choice that is nearest to it; anything else as it is."""
    return min(choices, key=lambda choice: abs(choice - value)) if is_number(value) else value


def told(guess: Plain, truth: Plain, is_shape: bool, table: dict[str, Any]) -> str:
    """What to say of a guess; `table` is the lesson's in guesses.toml, and may be empty."""
    likely = [(plain(entry["guess"]), str(entry["says"])) for entry in table.get("wrong", [])]
    for wrong, says in likely:
        if _is_near(guess, wrong, truth):
            return says
    within = table.get("within") if is_number(guess) else None
    if is_equal(guess, truth) or (within and math.isclose(guess, truth, rel_tol=within)):
        return _("Right!")
    return _reason_nearby(guess, truth, likely) or _reason(guess, truth, is_shape)


def _is_near(guess: Plain, wrong: Plain, truth: Plain) -> bool:
    """Whether a guess is the likely mistake `wrong`; single small numbers are not rounded to 0.

    A number as near to the truth is not: a mistake may be only a thousandth away from it.
    """
    if all(is_number(value) for value in (guess, wrong, truth)):
        nearer = abs(guess - wrong) < abs(guess - truth)
        return nearer and math.isclose(guess, wrong, rel_tol=0.005)
    return is_equal(guess, wrong) and not is_equal(guess, truth)


def _reason_nearby(guess: Plain, truth: Plain, likely: list[tuple[Plain, str]]) -> str:
    """What is said of the likely wrong guess that is nearest, to a count or a text; else empty.

    A count that is too high is compared with those that are, too.
    """
    if isinstance(guess, str) and isinstance(truth, str):
        texts = {truth: "", **{wrong: says for wrong, says in likely if isinstance(wrong, str)}}
        close = next(iter(difflib.get_close_matches(guess, texts, 1, 0.8)), truth)
        says = texts[close]
    else:
        on_this_side = [
            (abs(guess - wrong), wrong, says)
            for wrong, says in likely
            if _are_counts(guess, wrong, truth) and (wrong > truth) == (guess > truth)
        ]
        _distance, close, says = min(on_this_side, default=(0, truth, ""))
    text = _("Not the same. A likely guess near yours is {wrong}: {says}")
    return text.format(wrong=close, says=says) if says else ""


def _are_counts(*values: Plain) -> bool:
    return all(is_number(value) and isinstance(value, int) for value in values)


def _reason(guess: Plain, truth: Plain, is_shape: bool) -> str:
    """How a wrong guess relates to the result, which may be a tensor's shape; both are plain."""
    kind = _other_kind(guess, truth, is_shape)
    if kind:
        return kind
    if isinstance(truth, tuple):
        digits = decimals(flat(truth))
        return _of_sequences(rounded(guess, digits), rounded(truth, digits))
    if is_number(truth) and guess > truth:
        return _("Your guess is too high. Find out why before you continue.")
    if is_number(truth) and guess < truth:
        return _("Your guess is too low. Find out why before you continue.")
    return _("Not the same. Find out why before you continue.")


def _other_kind(guess: Plain, truth: Plain, is_shape: bool) -> str:
    """Which kind of value is expected, if the guess is of another one; else empty."""
    if isinstance(guess, str) and not isinstance(truth, str):
        try:
            is_right = is_equal(plain(ast.literal_eval(guess)), truth)
        except (ValueError, SyntaxError, TypeError):
            is_right = False
        if is_right:
            return _("That is right, but it is a text: write it without quotation marks.")
        return _("Your guess is a text. Write numbers, True or False without quotation marks.")
    if isinstance(truth, str):
        return "" if isinstance(guess, str) else _('Expected a text in quotation marks, as "...".')
    if isinstance(truth, bool):
        return "" if isinstance(guess, bool) else _("Expected True or False.")
    numbers, guessed = flat(truth), flat(guess)
    details = {"count": len(numbers), "guessed": len(guessed)}
    if is_number(truth) and isinstance(guess, bool):
        return _("Expected a number; True and False answer whether something is so.")
    if is_number(truth) and isinstance(guess, tuple):
        return _("Expected one number; your guess has {guessed}.").format(**details)
    if isinstance(truth, tuple) and not isinstance(guess, tuple):
        if is_shape and guess == math.prod(numbers):
            text = _("That is how many elements there are. Expected {count} numbers.")
        else:
            text = _("Expected {count} numbers, as (1, 2, 3); your guess is one value.")
        return text.format(**details)
    for value in guessed:
        if not isinstance(value, int | float | str):
            text = _("Your guess has a value of the type {type}; expected numbers.")
            return text.format(type=type(value).__name__)
    return ""


def _of_sequences(guess: _Sequence, truth: _Sequence) -> str:
    numbers, guessed = flat(truth), flat(guess)
    if guess == truth[::-1] and len(shape(truth)) == 1:
        return _("The numbers are right, in reverse order. Find out why.")
    if shape(guess) != shape(truth) and is_equal(tuple(guessed), tuple(numbers)):
        return _("The numbers are right, but not their arrangement: expected {shape}.").format(
            shape=" x ".join(map(str, shape(truth)))
        )
    if Counter(guessed) == Counter(numbers):
        return _("The numbers are right, but in different places. Find out why.")
    if len(guessed) != len(numbers):
        text = _("Your guess has {guessed} numbers instead of {count}. Find out why.")
        return text.format(guessed=len(guessed), count=len(numbers))
    right = sum(is_equal(*pair) for pair in zip(guessed, numbers, strict=True))
    text = ngettext(
        "{right} of {count} numbers is right. Find out why before you continue.",
        "{right} of {count} numbers are right. Find out why before you continue.",
        right,
    )
    return text.format(right=right, count=len(numbers))
