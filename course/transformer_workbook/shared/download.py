"""Fetches files from public addresses, and resumes where a download stopped."""

import hashlib
import urllib.error
import urllib.request
from pathlib import Path

from .files import whole
from .language import _

_CHUNK = 1 << 16  # bytes


class WrongContent(ValueError):
    """What an address gave is another file than the one that was expected."""


def fetch(url: str, path: Path, checksum: str | None) -> None:
    """Put the file at `url` into `path`, whole; an interrupted download is resumed.

    `checksum` is its SHA-256; without one, no content is right. Raises OSError, WrongContent.
    """
    with whole(path) as part:
        _download(url, part)
        if sha256(part) != checksum:
            part.unlink()  # a resumed download would keep the wrong bytes
            raise WrongContent(url)


def sha256(path: Path) -> str:
    """The SHA-256 of a file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def reason_of(error: OSError) -> object:
    """Why something could not be fetched: the reason within urllib's error."""
    return getattr(error, "reason", None) or error


def _download(url: str, part: Path) -> None:
    """Write what is at `url` to `part`, behind what is there already.

    Raises OSError, also if the connection ends before all has come.
    """
    start = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # range not satisfiable: the part is complete
            return
        raise
    with response, part.open("ab" if response.status == 206 else "wb") as file:
        expected, came = response.headers["Content-Length"], 0
        while chunk := response.read(_CHUNK):
            came += file.write(chunk)
    if expected is not None and came < int(expected):  # `read` ends as if that were the whole
        message = _("{came} of {expected} bytes came")
        raise OSError(message.format(came=came, expected=expected))
