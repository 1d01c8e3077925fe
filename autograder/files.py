"""Writes files whole or not at all: a reader never sees half of one."""

import contextlib
import errno
import os
import threading
from collections.abc import Iterator
from pathlib import Path

from autograder.language import _

MOST_OF_NAME = 100  # bytes; a name may have 255


# No submission causes these, and every other submission would meet them too.
_DISK_ERRORS = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EFBIG")
    if hasattr(errno, name)
}


class CannotWrite(OSError):
    """A file cannot be written: the disk is full, or the folder or the gradebook is not ours.

    The message is all that a user needs to see. What was put in place before stays.
    """

    @classmethod
    def because(cls, path: Path, error: OSError) -> "CannotWrite":
        reason = error.strerror or type(error).__name__
        message = _(
            "{path} cannot be written: {reason}. What was recorded stays. Put this right, then "
            "start again to resume."
        )
        return cls(message.format(path=path, reason=reason))

    @classmethod
    def found_in(cls, error: BaseException, path: Path) -> "CannotWrite | None":
        """The error as CannotWrite if it is one of the disk, which every submission would meet.

        `path` is named where the error names no file.
        """
        if isinstance(error, OSError) and error.errno in _DISK_ERRORS:
            return cls.because(Path(error.filename or path), error)
        return None


def replace_file(path: Path, content: str | bytes) -> None:
    """Put a file in place in one step: a reader sees the old content or the new one.

    Raises CannotWrite.
    """
    try:
        replace(path, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise CannotWrite.because(path, error) from error


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
