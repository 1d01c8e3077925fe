"""OUT: files are put in place in one step, one run at a time writes, the secret is kept."""

import contextlib
import errno
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

from autograder.errors import WrongUsage

from .texts import text

FORMAT = 1  # raised when what is remembered changes its form or its meaning

# What no submission causes, and no other submission would fare better with.
OF_THE_DISK = {
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO", "EFBIG")
    if hasattr(errno, name)
}


class CannotWrite(OSError):
    """OUT cannot be written: the disk is full, or the folder or the gradebook is not ours.

    The message is all that a user needs to see. What was put in place before stays.
    """

    @classmethod
    def because(cls, path: Path, error: OSError) -> "CannotWrite":
        reason = error.strerror or type(error).__name__
        return cls(text("out", "unwritable", path=path, reason=reason))


def replace_file(path: Path, content: str | bytes) -> None:
    """Put a file in place in one step: whoever reads sees the old one or the new one.

    Raises CannotWrite.
    """
    # Two submissions that are the same have one result, and may come to it at the same time.
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    if isinstance(content, str):
        content = content.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise CannotWrite.because(path, error) from error


def read_json(path: Path) -> dict | None:
    """What a file holds; None where there is none, or none that can be read."""
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return tree if isinstance(tree, dict) and tree.get("format") == FORMAT else None


def write_json(path: Path, tree: dict) -> None:
    replace_file(path, json.dumps({"format": FORMAT} | tree, ensure_ascii=False, indent=1))


def digest(*parts: object) -> str:
    """A short hash of plain values."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:32]


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Only one run at a time writes to OUT. The lock ends with the process, however it ends."""
    try:
        (out / "work").mkdir(parents=True, exist_ok=True)
        file = open(out / "work" / "lock", "w")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise CannotWrite.because(out, error) from error
    with file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows
            pass
        except BlockingIOError as error:
            raise WrongUsage(text("usage", "busy", path=out)) from error
        except OSError as error:  # a file system without locks
            raise CannotWrite.because(out, error) from error
        yield


def kept_seed(folder: Path) -> str:
    """The secret in the folder's file `seed`, drawn when there is none yet.

    It differs from class to class, and grading again gives the same grades.
    """
    path = folder / "seed"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".seed.{os.getpid()}.part"
        part.write_text(secrets.token_hex(16) + "\n", encoding="utf-8")
        try:
            os.link(part, path)  # of several at a time one wins, and none is half-written
            part.unlink()
        except OSError:  # another won; or the file system has no hard links
            part.unlink() if path.exists() else part.replace(path)
    return path.read_text(encoding="utf-8").strip()
