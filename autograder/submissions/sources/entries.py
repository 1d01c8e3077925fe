"""Opens a folder or a zip as a tree of entries; follows no link, and unpacks nothing to disk."""

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.errors import WrongUsage
from autograder.language import _, ngettext
from autograder.results.remarks import Problem
from autograder.results.safe_names import is_hidden
from autograder.results.submission import Attachments, Read

PIECE = 2**18  # bytes that are read at a time
MOST_ENTRIES = 500_000  # of a zip
DEEPEST = 50  # folders within folders
UTF_8 = 0x800  # the flag of an entry of a zip whose name is known to be UTF-8


@dataclass(frozen=True)
class Entry:
    """A file or a folder of a source. `kind` is folder, file, link or other."""

    name: str
    kind: str
    path: object
    children: Callable[[], list["Entry"]] = list


ReadEntry = Callable[[Any], Iterator[bytes]]  # the bytes of an entry's `path`, in pieces


def visible(entries: Iterable[Entry]) -> list[Entry]:
    """Without those that systems and editors made, and those whose names begin with a dot."""
    return [entry for entry in entries if not is_hidden(entry.name)]


def reader(entry: Entry, read: ReadEntry, limit: int) -> Read:
    """Reads an entry in pieces, which raises Problem for what is no file or has more bytes."""

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


def whole(read: Read) -> Callable[[], bytes]:
    return lambda: b"".join(read())


def open_source(submitted: Path) -> tuple[list[Entry], ReadEntry]:
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
            found = scan(submitted)
        except Problem as problem:
            raise WrongUsage(f"{submitted}: {problem}") from problem
        return found, read_file
    if not submitted.is_file() or not zipfile.is_zipfile(submitted):
        raise WrongUsage(
            _("{path} is neither a folder nor a zip; give the folder (or zip) with "
              "<student>/<NN-name>/<name>.ipynb"),
            path=submitted,
        )  # fmt: skip
    return _open_zip(submitted)


def scan(folder: Path) -> list[Entry]:
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
                found.append(Entry(entry.name, kind, path, partial(scan, path)))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Problem("folder_unreadable", reason=reason) from error
    return found


def attachments_in(folder: Path, largest: Mapping[str, int]) -> Attachments:
    """The files of these names in a folder, as in `Submission`, each of so many bytes at most.

    Raises Problem.
    """
    return {
        entry.name: whole(reader(entry, read_file, largest[entry.name]))
        for entry in scan(folder)
        if entry.name in largest
    }


def read_file(path: Path) -> Iterator[bytes]:
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


def _open_zip(path: Path) -> tuple[list[Entry], ReadEntry]:
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
        parts = PurePosixPath(_name(info).replace("\\", "/")).parts
        if not parts or ".." in parts or parts[0] == "/" or len(parts) > DEEPEST:
            continue  # it lies nowhere below the zip's folder, or too deep: it gets no row
        _grow(tree, parts, info)

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


def _name(info: zipfile.ZipInfo) -> str:
    """The name of an entry; that of macOS's Finder is UTF-8, though its flags do not say so."""
    if info.flag_bits & UTF_8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode()
    except UnicodeError:
        return info.filename


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


def _entries(tree: dict[str, Any]) -> list[Entry]:
    found = []
    for name, inside in tree.items():
        if isinstance(inside, dict):
            found.append(Entry(name, "folder", None, partial(_entries, inside)))
        else:
            mode = inside.external_attr >> 16
            linked = stat.S_ISLNK(mode)
            plain = not stat.S_IFMT(mode) or stat.S_ISREG(mode)
            kind = "link" if linked else "file" if plain else "other"
            found.append(Entry(name, kind, inside))
    return found
