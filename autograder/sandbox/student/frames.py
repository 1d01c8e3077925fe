"""The student's end of the channel: frames, each an 8-byte length and that many bytes."""

import os

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
    size = int.from_bytes(_read_exactly(8), "little")
    return _read_exactly(size)


def _read_exactly(size: int) -> bytes:
    parts = []
    while size:
        part = os.read(CHANNEL, min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
