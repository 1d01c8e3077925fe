"""Tells whether a change only makes cases pass by leaving something of the answer unused.

Such a change is a way round the mistake, and leads a student away from it. One that takes something
out may well leave a value unused that should never have been there.
"""

from ..verdicts.unused import unread, unread_parameters
from .candidates import Candidate

_TAKE_NOTHING_OUT = {"order", "moved", "lines"}
_OTHER_NAME = {"name", "attribute"}


def goes_round(before: str, candidate: Candidate) -> bool:
    """Whether a candidate mends `before` by leaving a value, or a parameter, unread."""
    if candidate.kind in _TAKE_NOTHING_OUT:
        return bool(unread(candidate.source) - unread(before))
    if candidate.kind in _OTHER_NAME:
        return bool(unread_parameters(candidate.source) - unread_parameters(before))
    return False
