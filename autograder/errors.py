"""Errors whose message is all that a user needs to see."""


class UserFacingError(Exception):
    """An error with a message for people; `details` fill in its placeholders."""

    def __init__(self, message: str, /, **details: object):
        # Without details, as when it comes from another process, the message is complete.
        super().__init__(message.format(**details) if details else message)


class WrongUsage(UserFacingError):
    """What was asked for cannot be done; the message says what to write instead. Exit code 2."""
