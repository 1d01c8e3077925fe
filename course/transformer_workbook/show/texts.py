"""The catalogue of every text that a learner reads in a picture, kept apart for translation."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

CATALOGUE = Path(__file__).with_name("texts.toml")


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """All texts, by section and name."""
    return tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))


def text(name: str, **values: object) -> str:
    """The text called "section.name", its placeholders filled in."""
    section, _, key = name.partition(".")
    return catalogue()[section][key].format(**values)
