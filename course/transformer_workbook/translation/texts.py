"""The catalogue of what this part says to learners."""

import tomllib
from functools import cache
from pathlib import Path


@cache
def texts() -> dict:
    return tomllib.loads(Path(__file__).with_name("texts.toml").read_text(encoding="utf-8"))
