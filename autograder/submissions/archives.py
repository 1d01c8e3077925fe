"""Reads what zips, tars and compressed files hold, within bounds; writes no file of their names."""

import bz2
import gzip
import lzma
import re
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import IO, Any

from autograder.language import _
from autograder.results.remarks import Problem

ENDINGS = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz")
PIECE = 2**18  # bytes that are read at a time
_HEAD = 512  # bytes in which a file tells what it is
MOST_ENTRIES = 500_000
IN_MEMORY = 2**26  # bytes that are unpacked; more goes into a file that has no name
UTF_8 = 0x800  # the flag of an entry of a zip whose name is known to be UTF-8
ERRORS = (
    OSError, EOFError, RuntimeError, ValueError, NotImplementedError, MemoryError,
    ArithmeticError, LookupError, zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError,
)  # fmt: skip
_ZIP = b"PK\x03\x04"
_TAR = slice(257, 262), b"ustar"
_COMPRESSED: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open
}  # fmt: skip
# Names that are no UTF-8: two signs of the usual Chinese characters each, or accents.
_CHINESE = re.compile(rb"(?:[\x00-\x7f]|[\xb0-\xf7][\xa1-\xfe])+")
_ACCENTED = frozenset("äöüßéèêëàâáíìîïóòôúùûñçãõåøæ")


@dataclass(frozen=True)
class Member:
    """What an archive holds under a path; empty for all of a compressed file that is no archive.

    `kind` is folder, file, link or other. `read` gives a file's bytes in pieces, or raises Problem.
    `note` says how its name was understood, where the archive does not tell.
    """

    path: str
    kind: str
    read: Callable[[], Iterator[bytes]]
    note: str = ""


def is_archive(file: IO[bytes]) -> bool:
    """Whether a file is a zip, a tar, or compressed."""
    head, (where, mark) = _head(file), _TAR
    return head.startswith((_ZIP, *_COMPRESSED)) or head[where] == mark


def members(file: IO[bytes], largest: int) -> list[Member]:
    """What is in an archive. Raises Problem, or one of ERRORS where it cannot be opened.

    One that is compressed as a whole, as tars are, may unpack to `largest` bytes.
    """
    head = _head(file)
    is_compressed = head.startswith(tuple(_COMPRESSED))
    if is_compressed:
        unpack = next(unpack for mark, unpack in _COMPRESSED.items() if head.startswith(mark))
        file = _unpacked(unpack(file), largest)
    where, mark = _TAR
    if _head(file)[where] == mark:
        return _of_tar(file)
    return [Member("", "file", partial(_pieces, file))] if is_compressed else _of_zip(file)


def _head(file: IO[bytes]) -> bytes:
    head = file.read(_HEAD)
    file.seek(0)
    return head


def _unpacked(packed: IO[bytes], largest: int) -> IO[bytes]:
    length = 0
    unpacked = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - members are read later
    while piece := packed.read(PIECE):
        length += len(piece)
        if length > largest:
            raise Problem("too_large", limit=largest >> 20)
        unpacked.write(piece)
    unpacked.seek(0)
    return unpacked


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    while piece := file.read(PIECE):
        yield piece


def _of_zip(file: IO[bytes]) -> list[Member]:
    archive = zipfile.ZipFile(file)
    if len(archive.filelist) > MOST_ENTRIES:
        raise ValueError(_("more than {count} entries").format(count=MOST_ENTRIES))
    names = _decoded([_name(info) for info in archive.filelist])
    return [
        Member(name, _kind(info), partial(_read, archive.open, info), note)
        for info, (name, note) in zip(archive.filelist, names, strict=True)
    ]


def _name(info: zipfile.ZipInfo) -> bytes:
    is_said = info.flag_bits & UTF_8 or info.filename != info.orig_filename.partition("\0")[0]
    return info.filename.encode("utf-8" if is_said else "cp437", "replace")


def _kind(info: zipfile.ZipInfo) -> str:
    mode = stat.S_IFMT(info.external_attr >> 16)
    if info.is_dir():
        return "folder"
    return {0: "file", stat.S_IFREG: "file", stat.S_IFLNK: "link"}.get(mode, "other")


def _of_tar(file: IO[bytes]) -> list[Member]:
    archive = tarfile.TarFile(fileobj=file)
    infos, at = list[tarfile.TarInfo](), -1
    while info := archive.next():
        if info.offset <= at or len(infos) == MOST_ENTRIES:  # a negative size leads back
            raise tarfile.ReadError(_("more than {count} entries").format(count=MOST_ENTRIES))
        infos.append(info)
        at = info.offset
    names = _decoded([info.name.encode("utf-8", "surrogateescape") for info in infos])
    return [
        Member(name, _kind_in_tar(info), partial(_read, archive.extractfile, info), note)
        for info, (name, note) in zip(infos, names, strict=True)
    ]


def _kind_in_tar(info: tarfile.TarInfo) -> str:
    if info.issym() or info.islnk():
        return "link"
    return "folder" if info.isdir() else "file" if info.isreg() else "other"


def _read(open_: Callable[[Any], IO[bytes] | None], info: Any) -> Iterator[bytes]:
    # With other methods, Python decompresses a whole block before any limit is checked.
    method = getattr(info, "compress_type", zipfile.ZIP_STORED)
    if method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        reason = _("compression method {number}").format(number=method)
        raise Problem("unreadable", reason=reason)
    try:
        file = open_(info)
        while file and (piece := file.read(PIECE)):
            yield piece
    except ERRORS as error:
        raise Problem("unreadable", reason=str(error)[:200]) from error


def _decoded(names: list[bytes]) -> list[tuple[str, str]]:
    """Each name with a note where it was guessed how it is written.

    That of macOS's Finder is UTF-8, though its zips do not say so.
    """
    odd = {name for name in names if not _is_utf8(name)}
    together = b"".join(odd)
    encoding = "cp437"  # of zips that say nothing
    if odd and _CHINESE.fullmatch(together):
        encoding = "GBK"
    elif _accents(together, "cp1252") > _accents(together, encoding):
        encoding = "cp1252"
    note = _("its name was read as {encoding}: the archive does not tell").format(encoding=encoding)
    return [
        (name.decode(encoding, "replace"), "" if encoding == "cp437" else note)
        if name in odd
        else (name.decode(), "")
        for name in names
    ]


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _accents(text: bytes, encoding: str) -> int:
    return sum(sign in _ACCENTED for sign in text.decode(encoding, "ignore").lower())
