"""Fetches files from public addresses, and resumes where a download stopped."""

import urllib.error
import urllib.request
from pathlib import Path

_CHUNK = 1 << 16  # bytes


def download(url: str, part: Path) -> None:
    """Write what is at `url` to `part`, behind what is there already. Raises OSError."""
    start = part.stat().st_size if part.is_file() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        response = urllib.request.urlopen(request, timeout=30)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # range not satisfiable: the part is complete
            return
        raise
    with response, part.open("ab" if response.status == 206 else "wb") as file:
        while chunk := response.read(_CHUNK):
            file.write(chunk)
