"""Looks into zips and gzips that bear a notebook's name, or were handed in instead of one."""

import gzip
import io
import itertools
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from autograder.results.remarks import Problem
from autograder.results.safe_names import is_hidden

MOST_BYTES = 64 * 2**20  # bytes that are held in memory, and that anything unpacks to
MOST_MEMBERS = 20
NOTEBOOK = ".ipynb"
ENDINGS = (NOTEBOOK, ".ipynb.txt", ".json", ".py")
_ZIP, _GZIP = b"PK\x03\x04", b"\x1f\x8b"


def bounded(pieces: Iterable[bytes]) -> bytes:
    """All of a file. Raises Problem where it is larger than MOST_BYTES, or cannot be read."""
    parts, length = [], 0
    for piece in pieces:
        length += len(piece)
        if length > MOST_BYTES:
            raise Problem("too_large", limit=MOST_BYTES >> 20)
        parts.append(piece)
    return b"".join(parts)


def is_packed(head: bytes) -> bool:
    """Whether a file that begins with this is a zip or a gzip."""
    return head.startswith((_ZIP, _GZIP))


def members(content: bytes) -> list[tuple[str, bytes]]:
    """The notebooks in a zip or a gzip by name; where it has none, scripts and others.

    Raises Problem where it cannot be opened or holds neither.
    """
    try:
        found = _of_gzip(content) if content.startswith(_GZIP) else _of_zip(content)
    except (OSError, EOFError, RuntimeError, ValueError, NotImplementedError,
            zipfile.BadZipFile, zlib.error) as error:  # fmt: skip
        raise Problem("broken_archive", reason=str(error)[:200]) from error
    if not found:
        raise Problem("empty_archive")
    return [entry for entry in found if entry[0].lower().endswith(NOTEBOOK)] or found


def _of_gzip(content: bytes) -> list[tuple[str, bytes]]:
    with gzip.open(io.BytesIO(content)) as file:
        unpacked = file.read(MOST_BYTES + 1)
    if len(unpacked) > MOST_BYTES:
        raise Problem("too_large", limit=MOST_BYTES >> 20)
    return [("notebook.ipynb", unpacked)]


def _of_zip(content: bytes) -> list[tuple[str, bytes]]:
    found, length = [], 0
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for info in archive.filelist:
            path = PurePosixPath(info.filename.replace("\\", "/"))
            hidden = any(map(is_hidden, path.parts))
            # With other methods, a whole block is unpacked before any limit is checked.
            usual = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            if hidden or not usual or not path.name.lower().endswith(ENDINGS):
                continue
            with archive.open(info) as file:
                unpacked = file.read(MOST_BYTES - length + 1)
            length += len(unpacked)
            if length > MOST_BYTES:
                raise Problem("too_large", limit=MOST_BYTES >> 20)
            found.append((path.name, unpacked))
            if len(found) > MOST_MEMBERS:
                raise Problem("too_many_notebooks", limit=MOST_MEMBERS)
    return found


def lesson_texts(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A file in pieces, or the files that are packed in it. Raises Problem."""
    pieces = iter(pieces)
    head = next(pieces, b"")
    if not is_packed(head):
        yield from itertools.chain([head], pieces)
        return
    for _name, content in members(bounded(itertools.chain([head], pieces))):
        yield content
