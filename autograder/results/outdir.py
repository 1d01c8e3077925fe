"""OUT: files are put in place in one step, one run at a time writes, the secret is kept."""

import contextlib
import errno
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any, TypeVar

from filelock import FileLock, Timeout

from autograder import files
from autograder.errors import WrongUsage
from autograder.language import _

from .safe_names import is_safe_name

FORMAT = 2  # raised when what is remembered changes its form or its meaning
# The folders in OUT/work that hold a file about each submission.
SIDECARS = ("submissions", "rebuilt")

# No submission causes these, and every other submission would meet them too.
_DISK_ERRORS = {
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


class UnsafeName(ValueError):
    """A name that does not stand for one file or folder below the one that it is looked for in."""


P = TypeVar("P", bound=PurePath)


def below(folder: P, *names: str) -> P:
    """The path in a folder, one component for each name. All paths with names of students or
    lessons in them are made here.

    Raises UnsafeName for a name that is empty, climbs, or is more than one component. `safe_name`
    makes safe ones.
    """
    path = folder.joinpath(*names)
    if not all(map(is_safe_name, names)) or path.parts != (*folder.parts, *names):
        message = _(
            "the names {names!r} make no path below {folder}; expected one file or folder for "
            "each, neither empty nor . or .., without / and NUL"
        )
        raise UnsafeName(message.format(names=names, folder=folder))
    return path


def require_apart(folder: Path, students: Iterable[str]) -> None:
    """Raise WrongUsage for students whose folders would be one: this file system ignores case."""
    if not _ignores_case(folder):
        return
    by_form: dict[str, str] = {}
    for student in students:
        other = by_form.setdefault(student.casefold(), student)
        if other != student:
            raise WrongUsage(
                _("the students {other!r} and {student!r} differ only in upper and lower case, and "
                  "{path} is on a disk that ignores it, so one would get the other's results. "
                  "Rename one of them, or choose a folder on another disk"),
                other=other, student=student, path=folder,
            )  # fmt: skip


def _ignores_case(folder: Path) -> bool:
    """Whether two names that differ only in case are one file there. Raises CannotWrite."""
    mark = secrets.token_hex(8)
    small, large = (folder / f".{letter}-{mark}.case" for letter in "aA")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        small.touch(exist_ok=False)
        try:
            large.touch(exist_ok=False)
        except FileExistsError:
            return True
        large.unlink()
        return False
    except OSError as error:
        raise CannotWrite.because(folder, error) from error
    finally:
        small.unlink(missing_ok=True)


def replace_file(path: Path, content: str | bytes) -> None:
    """Put a file in place in one step: a reader sees the old content or the new one.

    Raises CannotWrite.
    """
    try:
        files.replace(path, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise CannotWrite.because(path, error) from error


def read_json(path: Path, is_needed: bool = False) -> dict[str, Any] | None:
    """What `write_json` wrote; None where there is no such file, or a damaged one.

    None, too, for what another version of the grader wrote, unless it `is_needed`: then raises
    WrongUsage.
    """
    try:
        tree = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    is_ours = isinstance(tree, dict) and tree.get("format") == FORMAT
    if is_needed and not is_ours and isinstance(tree, dict):
        raise WrongUsage(
            _("{path} was written by another version of this grader, which this one cannot "
              "continue; grade into another folder"),
            path=path,
        )  # fmt: skip
    return tree if is_ours else None


def write_json(path: Path, tree: dict[str, Any]) -> None:
    """Put a dict in place as JSON. Raises CannotWrite."""
    replace_file(path, json.dumps({"format": FORMAT} | tree, ensure_ascii=False, indent=1))


def digest(*parts: object) -> str:
    """A short hash of plain values."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:32]


def sidecar(work: Path, folder: str, student: str, lesson: str) -> Path:
    """The path of a file about one submission; no student can choose its name.

    `folder` is one of SIDECARS, so that all of a submission can move to another student's id.
    """
    assert folder in SIDECARS, folder
    return work / folder / f"{digest(student, lesson)}.json"


@contextlib.contextmanager
def alone(out: Path) -> Iterator[None]:
    """Lock OUT: one run at a time writes there. The lock ends with the process, however it ends.

    Raises WrongUsage where another run has the lock, CannotWrite where there can be none.
    """
    try:
        (out / "work").mkdir(parents=True, exist_ok=True)
        lock = FileLock(out / "work" / "lock").acquire(blocking=False)
    except Timeout as error:
        raise WrongUsage(
            _("another run is grading into {path}; wait until it has ended"), path=out
        ) from error
    except OSError as error:
        raise CannotWrite.because(out, error) from error
    with lock:
        yield


def load_or_create_secret(folder: Path) -> str:
    """The secret in the folder's file `seed`, drawn when there is none yet.

    It differs from class to class, and grading again gives the same grades. Raises OSError.
    """
    path = folder / "seed"
    if not path.exists():
        files.create(path, f"{secrets.token_hex(16)}\n".encode())
    return read_secret(folder)


def read_secret(folder: Path) -> str:
    """The secret that is kept in the folder; empty where none is. Raises OSError."""
    path = folder / "seed"
    return path.read_text(encoding="utf-8").strip() if path.exists() else ""


def save_secret(folder: Path, secret: str) -> str:
    """Keep a secret in the folder from now on; returns it. Raises OSError."""
    files.replace(folder / "seed", f"{secret}\n".encode())
    return secret
