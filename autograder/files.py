"""Writes files whole or not at all: a reader never sees half of one."""

import contextlib
import os
import threading
from collections.abc import Iterator
from pathlib import Path

MOST_OF_NAME = 100  # bytes; a name may have 255


def replace(path: Path, content: bytes) -> None:
    """Put a file in place in one step: a reader sees the old content or the new one.

    Makes the folder where there is none. Raises OSError; the old content then stays.
    """
    with _part(path, content) as part:
        part.replace(path)


def create(path: Path, content: bytes) -> None:
    """Put a file in place in one step unless there is one: of several writers, the first wins.

    Makes the folder where there is none. Raises OSError.
    """
    with _part(path, content) as part:
        try:
            os.link(part, path)
        except OSError:
            if not path.exists():  # the file system has no hard links
                part.replace(path)
                return
        part.unlink()


@contextlib.contextmanager
def _part(path: Path, content: bytes) -> Iterator[Path]:
    """A file beside `path` with the content, to be moved; it is removed after an error."""
    # Two threads may come to the same result at the same time.
    # A name may be as long as a file system takes, and this one is longer.
    begin = os.fsencode(path.name)[:MOST_OF_NAME].decode(errors="ignore")
    part = path.with_name(f".{begin}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        yield part
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise
