"""Errors that are expected: their message is all that a user needs to see."""

from .language import UserFacingError


class WrongUsage(UserFacingError):
    """What was asked for cannot be done; the message says what to write instead. Exit code 2."""


class AuthoringError(UserFacingError):
    """A lesson that cannot be built; the message says where and why."""
