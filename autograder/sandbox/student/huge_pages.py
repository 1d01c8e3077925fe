"""Moves a process's memory to huge pages, which makes forks of it several times faster.

A fork copies an entry of the page table for each page. A process with torch loaded has some 60,000
private pages of 4 KiB; nearly all of them fit into a hundred pages of 2 MiB.
"""

import contextlib
import ctypes
import re
from pathlib import Path

HUGE = 2 << 20  # bytes
MADV_COLLAPSE = 25  # Linux 6.1
# Of /proc/self/maps: private anonymous memory and the heap.
PRIVATE = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0 *(?:\[heap\])?$")


def move() -> int:
    """The bytes that were moved; 0 where the system cannot do it."""
    moved = 0
    with contextlib.suppress(OSError, AttributeError):
        advise = ctypes.CDLL(None).madvise
        advise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for line in Path("/proc/self/maps").read_text().splitlines():
            mapping = PRIVATE.match(line)
            if not mapping:
                continue
            start, end = (int(address, 16) for address in mapping.groups())
            for address in range(-(-start // HUGE) * HUGE, end - HUGE + 1, HUGE):
                moved += HUGE * (advise(address, HUGE, MADV_COLLAPSE) == 0)
    return moved
