"""The student's end of the channel: frames, each an 8-byte length and that many bytes."""

import os
from collections.abc import Callable

from transformer_workbook.shared.packing import pack

CHANNEL = 3  # file descriptor


def send(tree: object) -> None:
    """Send what `pack` can pack. Raises BadData for anything else."""
    body = pack(tree)
    left = memoryview(len(body).to_bytes(8, "little") + body)
    while left:
        left = left[os.write(CHANNEL, left) :]


def read_frame() -> bytes:
    """The bytes of the next frame; none when the trusted side has closed the channel."""

    def read(size: int) -> bytes:
        return os.read(CHANNEL, size)

    return read_exactly(int.from_bytes(read_exactly(8, read), "little"), read)


def read_exactly(size: int, read: Callable[[int], bytes]) -> bytes:
    """The next `size` bytes, of which `read` returns at most so many; none if it returns none."""
    parts = []
    while size:
        part = read(min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
