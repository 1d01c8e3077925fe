"""The files of this checkout, as git lists them."""

import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@cache
def tracked(*folders: str) -> list[str]:
    """The tracked files, or those in these folders, by path from the root; skips without git."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *folders], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode != 0:
        pytest.skip(f"this is not a git checkout: {listed.stderr.strip()}")
    # A file that is being removed is still listed until that is committed.
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
