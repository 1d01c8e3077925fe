"""The catalogue of this package's messages for learners."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def texts() -> dict:
    """All texts, by section and name, as texts.toml has them."""
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
