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
