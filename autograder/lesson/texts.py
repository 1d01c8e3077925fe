"""The texts that the build puts into notebooks, from texts.toml."""

import tomllib
from pathlib import Path

TEXTS = tomllib.loads((Path(__file__).parent / "texts.toml").read_text(encoding="utf-8"))
