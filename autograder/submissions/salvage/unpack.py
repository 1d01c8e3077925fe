"""Looks into archives that bear a notebook's name, or were handed in instead of one."""

import io
import itertools
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from autograder.results.remarks import Problem
from autograder.results.safe_names import is_hidden, of_the_course

from .. import archives

MOST_BYTES = 64 * 2**20  # bytes that are held in memory, and that anything unpacks to
MOST_MEMBERS = 20
DEEPEST = 3  # archives in archives
NOTEBOOK = ".ipynb"
ENDINGS = (NOTEBOOK, ".ipynb.txt", ".ipynb.invalid", ".json", ".py")


def bounded(pieces: Iterable[bytes], most: int = MOST_BYTES) -> bytes:
    """All of a file. Raises Problem where it is larger than `most`, or cannot be read."""
    parts, length = [], 0
    for piece in pieces:
        length += len(piece)
        if length > most:
            raise Problem("too_large", limit=MOST_BYTES >> 20)
        parts.append(piece)
    return b"".join(parts)


def members(content: bytes) -> list[tuple[str, bytes]]:
    """The notebooks in an archive by name; where it has none, scripts and others.

    Raises Problem where it cannot be opened or holds neither.
    """
    notebooks, length = list[tuple[str, bytes]](), 0
    waiting = [(content, 1)]
    try:
        for packed, depth in waiting:
            for member in archives.members(io.BytesIO(packed), MOST_BYTES):
                path = PurePosixPath(member.path.replace("\\", "/") or f"notebook{NOTEBOOK}")
                if (
                    member.kind != "file"
                    or any(map(is_hidden, path.parts))
                    or of_the_course({*path.parts})
                ):
                    continue
                is_packed = depth < DEEPEST and path.name.lower().endswith(archives.ENDINGS)
                if not is_packed and not path.name.lower().endswith(ENDINGS):
                    continue
                unpacked = bounded(member.read(), MOST_BYTES - length)
                length += len(unpacked)
                if is_packed and archives.is_archive(io.BytesIO(unpacked)):
                    waiting.append((unpacked, depth + 1))
                else:
                    notebooks.append((path.name, unpacked))
                if len(notebooks) + len(waiting) > MOST_MEMBERS + 1:
                    raise Problem("too_many_notebooks", limit=MOST_MEMBERS)
    except archives.ERRORS as error:
        raise Problem("broken_archive", reason=str(error)[:200]) from error
    if not notebooks:
        raise Problem("empty_archive")
    return [entry for entry in notebooks if entry[0].lower().endswith(NOTEBOOK)] or notebooks


def lesson_texts(pieces: Iterable[bytes]) -> Iterator[Iterable[bytes]]:
    """A file in pieces, or each of the files that are packed in it. Raises Problem."""
    pieces = iter(pieces)
    head = next(pieces, b"")
    whole = itertools.chain([head], pieces)
    if archives.is_archive(io.BytesIO(head)):
        yield from ([content] for _name, content in members(bounded(whole)))
    else:
        yield whole
