"""The catalogue of what is said to learners, read without torch: the doctor needs it too."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def texts() -> dict:
    """All texts, by section and name, as texts.toml has them."""
    return tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))
