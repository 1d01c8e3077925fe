"""The language of messages: English in the code, translated by gettext's catalogues.

Imports the standard library alone: the doctor reads this in a Python that lacks everything else.
"""

import gettext
import os
import textwrap

DOMAIN = "transformer_workbook"
LOCALE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "locale")

# LANGUAGE, LC_ALL, LC_MESSAGES or LANG choose the catalogue; without one, messages are English.
_catalogue = gettext.translation(DOMAIN, LOCALE, fallback=True)
_ = _catalogue.gettext
ngettext = _catalogue.ngettext


def say(text: str) -> None:
    """Print in lines of at most 88 characters, which a notebook does not break within a word."""
    for line in text.splitlines():
        print(textwrap.fill(line, 88, break_long_words=False, break_on_hyphens=False), flush=True)
