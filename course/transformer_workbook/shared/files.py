"""Writes files whole or not at all: a reader never sees half of one."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole(path: Path) -> Iterator[Path]:
    """The path of a part file beside `path`, which takes its place when the block ends.

    Makes the folder where there is none. After an error the old file stays. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    yield part
    with part.open("rb+") as file:
        os.fsync(file.fileno())  # else a crash of the machine could leave an empty file
    part.replace(path)
