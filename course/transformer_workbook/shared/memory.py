"""How much memory a process has here."""

import contextlib
import os
from pathlib import Path

_CONTAINER_LIMITS = (  # cgroup v2 and v1
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def memory() -> int:
    """Bytes of memory available to a process: the machine's, or its container's limit."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for limit in _CONTAINER_LIMITS:
        with contextlib.suppress(OSError, ValueError):  # missing, or "max"
            sizes.append(int(limit.read_text()))
    return min(sizes)
