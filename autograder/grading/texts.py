"""What grading says to students and instructors, from texts.toml."""

import tomllib
from pathlib import Path

TEXTS = tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))


def text(section: str, key: str, **details: object) -> str:
    """One text of the catalogue with its details filled in."""
    return str(TEXTS[section][key]).format(**details)
