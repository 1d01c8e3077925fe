"""Errors that are expected: their message is all that a user needs to see."""

import difflib
import re
from collections.abc import Iterable

from .language import UserFacingError, _


class WrongUsage(UserFacingError):
    """What was asked for cannot be done; the message says what to write instead. Exit code 2."""


class AuthoringError(UserFacingError):
    """A lesson that cannot be built; the message says where and why."""


def was_meant(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """A question for the known names that are nearest, with a space before it; empty for none.

    All that are equally near are named, and namesakes that have a number: jsmith and jsmith2.
    """
    names = list(names)
    near = difflib.get_close_matches(name, names, n=3, cutoff=cutoff)
    if near:
        account, at, domain = near[0].partition("@")
        namesake = re.compile(rf"{re.escape(account)}(?<!\d)\d+{re.escape(at + domain)}")
        best = difflib.SequenceMatcher(None, near[0], name).ratio()
        ties = [text for text in near if difflib.SequenceMatcher(None, text, name).ratio() == best]
        near = list(dict.fromkeys([*ties, *filter(namesake.fullmatch, names)]))
    return _(" Was {close} meant?").format(close=_(" or ").join(near)) if near else ""
