"""OUT: one run at a time writes, the secret is kept, and so is the result of each submission."""

import contextlib
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from autograder import files
from autograder.errors import WrongUsage
from autograder.files import CannotWrite, replace_file
from autograder.language import _

from .submission import SubmissionResult

FORMAT = 2  # raised when what is remembered changes its form or its meaning


def require_apart(folder: Path, students: Iterable[str]) -> None:
    """Raise WrongUsage for students whose folders would be one: this file system ignores case."""
    if not _ignores_case(folder):
        return
    by_form: dict[str, str] = {}
    for student in students:
        first = by_form.setdefault(student.casefold(), student)
        if first != student:
            raise WrongUsage(
                _("the students {other!r} and {student!r} differ only in upper and lower case, and "
                  "{path} is on a disk that ignores it, so one would get the other's results. "
                  "Rename one of them, or choose a folder on another disk"),
                other=first, student=student, path=folder,
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


def load_result(work: Path, student: str, lesson: str) -> SubmissionResult | None:
    """The result of a submission, without marks; None where there is none.

    Raises WrongUsage, as `all_results` does, for what another version of the grader recorded.
    """
    tree = read_json(result_path(work, student, lesson), is_needed=True)
    return SubmissionResult.from_tree(tree["graded"]) if tree else None


def all_results(work: Path) -> Iterator[SubmissionResult]:
    """All results, without marks, in an order without meaning."""
    for path in sorted((work / "submissions").glob("*.json")):
        tree = read_json(path, is_needed=True)
        if tree:
            yield SubmissionResult.from_tree(tree["graded"])


def save_result(work: Path, result: SubmissionResult) -> None:
    """Save it in place of the one before. Raises CannotWrite."""
    write_json(result_path(work, result.student, result.lesson), {"graded": result.to_tree()})


def move_result(work: Path, result: SubmissionResult, id: str) -> None:
    """Save it as that of another student, in place of its own. Raises OSError."""
    save_result(work, replace(result, student=id))
    result_path(work, result.student, result.lesson).unlink(missing_ok=True)


def result_path(work: Path, student: str, lesson: str) -> Path:
    """The path of a submission's file; no student can choose its name."""
    return work / "submissions" / f"{digest(student, lesson)}.json"
