"""The language of messages: English in the code, translated by gettext's catalogues.

Imports the standard library alone: the doctor reads this in a Python that lacks everything else.
"""

import contextlib
import functools
import gettext
import os
import textwrap
from collections.abc import Iterator
from contextvars import ContextVar

DOMAIN = "transformer_workbook"
LOCALE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "locale")
_tag: ContextVar[str] = ContextVar("tag", default="")
_of_kernel = ""  # a notebook's: what one of its cells sets in a context is lost with the cell


def language() -> str:
    """The tag that was chosen, such as "ko"; empty where the environment decides."""
    return _tag.get() or _of_kernel


def speak(tag: str) -> None:
    """Choose the language of all that this process says from now on."""
    global _of_kernel
    _of_kernel = tag


@contextlib.contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Choose the language of what is said within a `with` block, in this thread."""
    before = _tag.set(tag)
    try:
        yield
    finally:
        _tag.reset(before)


@functools.cache
def catalogue(domain: str, folder: str, tag: str) -> gettext.NullTranslations:
    """A package's messages. Without a tag, LANGUAGE, LC_ALL, LC_MESSAGES or LANG choose it.

    Where there is none, messages are English.
    """
    return gettext.translation(domain, folder, languages=[tag] if tag else None, fallback=True)


def N_(text: str) -> str:
    """Mark a text for catalogues that is translated where it is used, by `_`."""
    return text


def _(text: str) -> str:
    return catalogue(DOMAIN, LOCALE, language()).gettext(text)


def ngettext(one: str, many: str, count: int) -> str:
    return catalogue(DOMAIN, LOCALE, language()).ngettext(one, many, count)


def say(text: str) -> None:
    """Print in lines of at most 88 characters, which a notebook does not break within a word."""
    for line in text.splitlines():
        print(textwrap.fill(line, 88, break_long_words=False, break_on_hyphens=False), flush=True)
