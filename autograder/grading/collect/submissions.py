"""Finds submissions in a folder or a zip: SUBMITTED/<student>/<NN-name>/<name>.ipynb.

A broken submission becomes one with a problem, never an exception: it must not stop the others. No
link is followed, nothing is unpacked to disk, and sizes are bounded.
"""

import difflib
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.errors import WrongUsage
from autograder.grading.escape import shown
from autograder.grading.model import Attachments, Problem, Read, Remark, Submission
from autograder.language import _, ngettext
from transformer_workbook.translation.hand_in import LARGEST as LARGEST_ATTACHMENT

from .times import utc

LARGEST = 512 * 2**20  # bytes of a notebook; lean_json.py bounds what is kept of them
PIECE = 2**18  # bytes that are read at a time
MOST_ENTRIES = 500_000  # of a zip
MOST_NOTEBOOKS = 20  # of one student in one lesson
TIMESTAMP = "timestamp.txt"
LONGEST_TIMESTAMP = 200  # bytes
_LESSON = re.compile(r"\d\d-[a-z0-9-]+")


@dataclass(frozen=True)
class _Entry:
    name: str
    kind: str  # folder, file, link, other
    path: object
    children: Callable[[], list["_Entry"]] = list


_ReadEntry = Callable[[Any], Iterator[bytes]]  # the bytes of an entry's `path`, in pieces


def collect(
    submitted: Path, lessons: Iterable[str], only_lesson: str = "", only_student: str = ""
) -> list[Submission]:
    """Find the submissions, sorted by student and lesson. Raises WrongUsage for a wrong path."""
    lessons = list(lessons)
    students, read = _open(submitted)
    folders = [entry for entry in students if entry.kind == "folder"]
    if any(entry.name in lessons for entry in folders):
        raise WrongUsage(
            _("{path} seems to be one student's folder; give the folder above it"), path=submitted
        )
    linked = [entry for entry in students if entry.kind == "link"]
    found, taken = list[Submission](), set[str]()
    for entry in sorted([*folders, *linked], key=lambda entry: entry.name):
        name = _unique(shown(entry.name), taken)
        if only_student and only_student not in (entry.name, name):
            continue
        if entry.kind == "link":
            found.append(_with_problem(name, "", Problem("link")))
            continue
        try:
            found += _submissions_of(name, entry.children(), lessons, only_lesson, read)
        except Problem as problem:
            found.append(_with_problem(name, "", problem))
    # The student may have handed in other lessons than the one that was asked for.
    exists = any(only_student in (entry.name, shown(entry.name)) for entry in folders)
    if only_student and not found and not exists:
        raise WrongUsage(
            _("there is no student {student!r} in {path}"), student=only_student, path=submitted
        )
    if not folders and not linked:
        raise WrongUsage(
            _("{path} holds no submission; expected are files <student>/<NN-name>/<name>.ipynb"),
            path=submitted,
        )
    return sorted(found, key=lambda one: (one.student, one.lesson))


def _unique(name: str, taken: set[str]) -> str:
    """The name, numbered where it is taken: names that differ only in escaped characters."""
    unique, number = name, 1
    while unique in taken:
        number += 1
        unique = f"{name} ({number})"
    taken.add(unique)
    return unique


def _submissions_of(
    student: str, entries: list[_Entry], lessons: list[str], only_lesson: str, read: _ReadEntry
) -> list[Submission]:
    entries = [entry for entry in entries if not _noise(entry.name)]
    if not entries:
        return [] if only_lesson else [_with_problem(student, "", Problem("no_lesson"))]
    found, taken = list[Submission](), set[str]()
    for entry in sorted(entries, key=lambda entry: entry.name):
        lesson = _unique(shown(entry.name), taken)
        if only_lesson and entry.name != only_lesson:
            continue
        if entry.kind == "link":
            found.append(_with_problem(student, lesson, Problem("link")))
        elif entry.kind != "folder":
            found.append(_with_problem(student, lesson, Problem("stray")))
        elif entry.name not in lessons:
            near = difflib.get_close_matches(entry.name.lower(), lessons, n=1, cutoff=0.7)
            close = _(" Was {close} meant?").format(close=near[0]) if near else ""
            found.append(_with_problem(student, lesson, Problem("unknown_lesson", close=close)))
        else:
            try:
                found.append(_submission_of(student, lesson, entry.children(), read))
            except Problem as problem:
                found.append(_with_problem(student, lesson, problem))
    return found


def _submission_of(
    student: str, lesson: str, entries: list[_Entry], read: _ReadEntry
) -> Submission:
    name = lesson.partition("-")[2] + ".ipynb"
    notebooks = [
        entry
        for entry in entries
        if entry.name.lower().endswith(".ipynb") and not _noise(entry.name)
    ]
    if not notebooks:
        return _with_problem(student, lesson, Problem("no_notebook"))
    if len(notebooks) > MOST_NOTEBOOKS:
        return _with_problem(student, lesson, Problem("too_many_notebooks", limit=MOST_NOTEBOOKS))
    notebooks.sort(key=lambda entry: (entry.name != name, entry.name))
    remarks: tuple[Remark, ...] = ()
    if len(notebooks) == 1 and notebooks[0].name != name:
        details = {"file": shown(notebooks[0].name), "name": name}
        remarks = (Remark("repair", "renamed", details),)
    found = tuple((shown(entry.name), _reader(entry, read, LARGEST)) for entry in notebooks)
    submitted = _time_of(entries, read)
    return Submission(student, lesson, found, remarks, _attachments(entries, read), submitted)


def _time_of(entries: list[_Entry], read: _ReadEntry) -> str:
    """When it was handed in, as the file says that nbgrader puts beside a submission."""
    for entry in entries:
        if entry.name == TIMESTAMP and entry.kind == "file":
            try:
                return utc(b"".join(_reader(entry, read, LONGEST_TIMESTAMP)()).decode())
            except (Problem, UnicodeDecodeError):
                return ""
    return ""


def attachments(folder: Path) -> Attachments:
    """The attachments in a folder, as in `Submission`. Raises Problem."""
    return _attachments(_scan(folder), _read_file)


def _attachments(entries: list[_Entry], read: _ReadEntry) -> Attachments:
    def whole(entry: _Entry) -> Callable[[], bytes]:
        pieces = _reader(entry, read, LARGEST_ATTACHMENT[entry.name])
        return lambda: b"".join(pieces())

    return {entry.name: whole(entry) for entry in entries if entry.name in LARGEST_ATTACHMENT}


def _reader(entry: _Entry, read: _ReadEntry, limit: int) -> Read:
    def pieces() -> Iterator[bytes]:
        if entry.kind != "file":
            raise Problem("link" if entry.kind == "link" else "no_file")
        length = 0
        for piece in read(entry.path):
            length += len(piece)
            if length > limit:
                raise Problem("too_large", limit=f"{limit / 2**20:.3g}")
            yield piece

    return pieces


def _with_problem(student: str, lesson: str, problem: Problem) -> Submission:
    def read() -> Iterator[bytes]:
        raise problem

    return Submission(student, lesson, (("", read),))


def _noise(name: str) -> bool:
    """Whether operating systems, editors or Jupyter made this file."""
    return name.startswith((".", "__MACOSX", "~$")) or name in ("Thumbs.db", "desktop.ini")


def _open(submitted: Path) -> tuple[list[_Entry], _ReadEntry]:
    """The entries of the top folder, and a function that reads a file's bytes in pieces."""
    if not os.path.lexists(submitted):
        raise WrongUsage(
            _(
                "{path} is not there; give the folder (or zip) with "
                "<student>/<NN-name>/<name>.ipynb"
            ),
            path=submitted,
        )
    if submitted.is_dir():
        try:
            found = _scan(submitted)
        except Problem as problem:
            raise WrongUsage(f"{submitted}: {problem}") from problem
        return [entry for entry in found if not _noise(entry.name)], _read_file
    if not submitted.is_file() or not zipfile.is_zipfile(submitted):
        raise WrongUsage(
            _("{path} is neither a folder nor a zip; give the folder (or zip) with "
              "<student>/<NN-name>/<name>.ipynb"),
            path=submitted,
        )  # fmt: skip
    return _open_zip(submitted)


def _scan(folder: Path) -> list[_Entry]:
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                path = Path(entry.path)
                if entry.is_symlink():
                    kind = "link"
                elif entry.is_dir(follow_symlinks=False):
                    kind = "folder"
                else:
                    kind = "file" if entry.is_file(follow_symlinks=False) else "other"
                found.append(_Entry(entry.name, kind, path, partial(_scan, path)))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Problem("folder_unreadable", reason=reason) from error
    return found


def _read_file(path: Path) -> Iterator[bytes]:
    # Between listing and opening, a file may have become a link, or a pipe that blocks.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Problem("no_file")
            while piece := file.read(PIECE):
                yield piece
    except OSError as error:
        raise Problem("unreadable", reason=error.strerror or type(error).__name__) from error


def _bad_zip(path: Path, reason: object) -> WrongUsage:
    return WrongUsage(_("{path} cannot be opened as a zip ({reason})"), path=path, reason=reason)


def _open_zip(path: Path) -> tuple[list[_Entry], _ReadEntry]:
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile, ValueError) as error:
        raise _bad_zip(path, error) from error
    if len(archive.filelist) > MOST_ENTRIES:
        count = len(archive.filelist)
        reason = ngettext("{count} entry", "{count} entries", count).format(count=count)
        raise _bad_zip(path, reason)
    tree: dict[str, Any] = {}
    for info in archive.filelist:
        parts = PurePosixPath(info.filename.replace("\\", "/")).parts
        if not parts or ".." in parts or parts[0] == "/" or len(parts) > 10:
            continue
        if any(_noise(part) for part in parts):
            continue
        _grow(tree, parts, info)
    # Many tools put everything into one top folder.
    if len(tree) == 1:
        (inside,) = tree.values()
        if isinstance(inside, dict) and any(
            isinstance(folder, dict) and any(_LESSON.fullmatch(name) for name in folder)
            for folder in inside.values()
        ):
            tree = inside

    def read(info: zipfile.ZipInfo) -> Iterator[bytes]:
        # With other methods, Python decompresses a whole block before any limit is checked.
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            method = _("compression method {number}").format(number=info.compress_type)
            raise Problem("unreadable", reason=method)
        try:
            with archive.open(info) as file:
                while piece := file.read(PIECE):
                    yield piece
        except (OSError, RuntimeError, zipfile.BadZipFile, NotImplementedError, EOFError,
                ValueError, zlib.error) as error:  # fmt: skip
            raise Problem("unreadable", reason=str(error)[:200]) from error

    return _entries(tree), read


def _grow(tree: dict[str, Any], parts: tuple[str, ...], info: zipfile.ZipInfo) -> None:
    for part in parts[:-1]:
        inside = tree.setdefault(part, {})
        if not isinstance(inside, dict):  # a file and a folder of one name
            return
        tree = inside
    if info.is_dir():
        tree.setdefault(parts[-1], {})
    elif not isinstance(tree.get(parts[-1]), dict):
        tree[parts[-1]] = info


def _entries(tree: dict[str, Any]) -> list[_Entry]:
    found = []
    for name, inside in tree.items():
        if isinstance(inside, dict):
            found.append(_Entry(name, "folder", None, partial(_entries, inside)))
        else:
            mode = inside.external_attr >> 16
            linked = stat.S_ISLNK(mode)
            plain = not stat.S_IFMT(mode) or stat.S_ISREG(mode)
            kind = "link" if linked else "file" if plain else "other"
            found.append(_Entry(name, kind, inside))
    return found
