"""The catalogue of messages for learners. Imports no torch: the doctor reads it too."""

import textwrap
import tomllib
from functools import cache
from pathlib import Path


@cache
def texts() -> dict:
    """All texts, by section and name, as texts.toml has them."""
    return tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))


def say(words: str) -> None:
    """Print in lines of at most 88 characters, which a notebook does not break within a word."""
    for line in words.splitlines():
        print(textwrap.fill(line, 88, break_long_words=False, break_on_hyphens=False), flush=True)
