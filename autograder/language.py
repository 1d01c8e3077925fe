"""Gettext for what this package tells people.

The English stands in the code, as `_("{count} files").format(count=2)`. LANGUAGE, LC_ALL,
LC_MESSAGES or LANG choose a catalogue in `locale`; where there is none, the English is used.
"""

import gettext
from pathlib import Path

TRANSLATIONS = gettext.translation("autograder", Path(__file__).parent / "locale", fallback=True)
TAG = TRANSLATIONS.info().get("language", "en").replace("_", "-")  # as in HTML
_ = TRANSLATIONS.gettext
ngettext = TRANSLATIONS.ngettext


class UserFacingError(Exception):
    """An error with a message for people; `details` fill in its placeholders."""

    def __init__(self, message: str, /, **details: object):
        # Without details, as when it comes from another process, the message is complete.
        super().__init__(message.format(**details) if details else message)
