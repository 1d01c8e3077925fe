"""Gettext for what this package tells people.

The English stands in the code, as `_("{count} files").format(count=2)`. `speaking` chooses a
catalogue in `locale`, else LANGUAGE, LC_ALL, LC_MESSAGES or LANG; where there is none, the English
is used.
"""

from pathlib import Path

from transformer_workbook.shared.language import N_, catalogue, language, speaking

__all__ = ["N_", "TAG", "UserFacingError", "_", "language", "ngettext", "speaking"]

_PLACE = ("autograder", str(Path(__file__).parent / "locale"))
TAG = catalogue(*_PLACE, "").info().get("language", "en").replace("_", "-")  # as in HTML


def _(text: str) -> str:
    return catalogue(*_PLACE, language()).gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    return catalogue(*_PLACE, language()).ngettext(one, many, count)


class UserFacingError(Exception):
    """An error with a message for people; `details` fill in its placeholders."""

    def __init__(self, message: str, /, **details: object):
        # Without details, as when it comes from another process, the message is complete.
        super().__init__(message.format(**details) if details else message)
