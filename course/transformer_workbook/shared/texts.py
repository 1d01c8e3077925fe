"""The catalogue of what is said to learners, read without torch: the doctor needs it too."""

import textwrap
import tomllib
from functools import cache
from pathlib import Path


@cache
def texts() -> dict:
    """All texts, by section and name, as texts.toml has them."""
    return tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))


def say(words: str) -> None:
    """Print for learners, in lines so short that a notebook need not break them amid a word."""
    for line in words.splitlines():
        print(textwrap.fill(line, 88, break_long_words=False, break_on_hyphens=False), flush=True)
