"""Opens a folder or an archive as a tree of entries; follows no link."""

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import is_zipfile

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.results.handed_in import HandedIn
from autograder.results.remarks import Problem
from autograder.results.safe_names import encodable, is_hidden, of_the_course
from autograder.results.submission import Attachments, Read

from ..archives import ERRORS, PIECE, Member, is_archive, members

DEEPEST = 50  # folders within folders
LARGEST_UNPACKED = 2**33  # bytes of a tar


@dataclass(frozen=True)
class Entry:
    """A file or a folder of a source. `kind` is folder, file, link or other.

    `read` gives the bytes of a file in pieces. `note` goes into its row.
    """

    name: str
    kind: str
    read: Read = lambda: iter(())
    children: Callable[[], list["Entry"]] = list
    note: str = ""


def without_leftovers(entries: Sequence[Entry]) -> list[Entry]:
    """Without what systems, editors and the course made, and names that begin with a dot."""
    of_course = of_the_course({entry.name for entry in entries})
    return [entry for entry in entries if not is_hidden(entry.name) and entry.name not in of_course]


def reader(entry: Entry, limit: int) -> Read:
    """Reads an entry in pieces, which raises Problem for what is no file or has more bytes."""

    def pieces() -> Iterator[bytes]:
        if entry.kind != "file":
            raise Problem("link" if entry.kind == "link" else "no_file")
        length = 0
        for piece in entry.read():
            length += len(piece)
            if length > limit:
                raise Problem("too_large", limit=f"{limit / 2**20:.3g}")
            yield piece

    return pieces


def whole(read: Read) -> Callable[[], bytes]:
    return lambda: b"".join(read())


def open_source(submitted: Path) -> tuple[list[Entry], list[HandedIn]]:
    """The entries of the top folder, and rows of what has no place in an archive."""
    if not os.path.lexists(submitted):
        raise WrongUsage(
            _(
                "{path} is not there; give the folder (or zip) with "
                "<student>/<NN-name>/<name>.ipynb"
            ),
            path=submitted,
        )
    if not submitted.is_dir():
        return _open_archive(submitted)
    try:
        return scan(submitted), []
    except Problem as problem:
        raise WrongUsage(f"{submitted}: {problem}") from problem


def scan(folder: Path) -> list[Entry]:
    listed = []
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
                listed.append(Entry(entry.name, kind, partial(_read, path), partial(scan, path)))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Problem("folder_unreadable", reason=reason) from error
    return listed


def attachments_in(folder: Path, largest: Mapping[str, int]) -> Attachments:
    """The files of these names in a folder, as in `Submission`, each of so many bytes at most.

    Raises Problem.
    """
    return {
        entry.name: whole(reader(entry, largest[entry.name]))
        for entry in scan(folder)
        if entry.name in largest
    }


def _read(path: Path) -> Iterator[bytes]:
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


def _open_archive(path: Path) -> tuple[list[Entry], list[HandedIn]]:
    packed = list[Member]()
    try:
        if path.is_file():  # a pipe would be waited for
            file = open(path, "rb")  # noqa: SIM115 - members are read as long as the grader runs
            if is_archive(file) or is_zipfile(path):
                packed = members(file, LARGEST_UNPACKED)
    except (Problem, *ERRORS) as error:
        message = _("{path} is damaged, or its download broke off ({reason}); download it again")
        raise WrongUsage(message, path=path, reason=error) from error
    if not any(member.path for member in packed):
        raise WrongUsage(
            _("{path} is neither a folder nor a zip or tar; give the folder (or zip) with "
              "<student>/<NN-name>/<name>.ipynb"),
            path=path,
        )  # fmt: skip
    tree: dict[str, Any] = {}
    lost = [
        HandedIn(encodable(member.path), note=why)
        for member in packed
        if (why := _grow(tree, member)) and not is_hidden(PurePosixPath(member.path).name)
    ]
    return _entries(tree), lost


def _grow(tree: dict[str, Any], member: Member) -> str:
    """Put a member of an archive into a tree of folders; why it has no place in it, else empty."""
    parts = PurePosixPath(member.path.replace("\\", "/")).parts
    if ".." in parts or parts[:1] == ("/",):
        return _("its path leads out of the archive")
    if len(parts) > DEEPEST:
        return _("it lies more than {count} folders deep").format(count=DEEPEST)
    taken = _("the archive has a file and a folder of one name")
    for part in parts[:-1]:
        tree = tree.setdefault(part, {})
        if not isinstance(tree, dict):
            return taken
    if not parts:
        return ""
    if member.kind == "folder":
        return "" if isinstance(tree.setdefault(parts[-1], {}), dict) else taken
    before = tree.get(parts[-1])
    if isinstance(before, dict):
        return taken
    tree[parts[-1]] = member
    return _("a later one of the same name counts") if before else ""


def _entries(tree: dict[str, Any]) -> list[Entry]:
    return [
        Entry(name, "folder", children=partial(_entries, inside))
        if isinstance(inside, dict)
        else Entry(name, inside.kind, inside.read, note=inside.note)
        for name, inside in tree.items()
    ]
