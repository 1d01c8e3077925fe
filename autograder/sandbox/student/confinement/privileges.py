"""The user and the capabilities of a confined process."""

import contextlib
import os
import platform
import struct
from pathlib import Path

from .linux import (
    LIBC,
    PR_CAP_AMBIENT,
    PR_CAP_AMBIENT_CLEAR_ALL,
    PR_CAPBSET_DROP,
    PR_SET_DUMPABLE,
    PR_SET_NO_NEW_PRIVS,
    check,
)

CAPABILITY_VERSION_3 = 0x20080522
SPARE_USERS = 1_900_000_000  # from here on, user ids that no account has


def has_capability(number: int) -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def spare_user() -> int | None:
    """A user id that no account and no other grader uses; None if no such ids are mapped.

    The kernel counts processes by user id, so a fork bomb needs one of its own. The parent of this
    process confines one student at a time: its number makes the id unique.
    """
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    ranges = [tuple(map(int, line.split())) for line in lines]
    first, _, count = max(ranges, key=lambda row: row[0] + row[2])
    unique = os.getppid()
    candidate = SPARE_USERS + unique
    if first <= candidate < first + count:
        return candidate
    if count < 10_000:
        return None
    # Within the few ids of a container, away from both ends.
    return first + count - 1000 - unique % 4000


def threads_of_this_user() -> int:
    """How many threads already count against this user's limit of processes.

    None do since Linux 5.14, which counts each user namespace on its own.
    """
    if tuple(map(int, platform.release().split("-")[0].split(".")[:2])) >= (5, 14):
        return 0
    count = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # the process has ended meanwhile
            if entry.stat().st_uid == os.getuid():
                count += len(os.listdir(entry / "task"))
    return count


def drop_privileges(uid: int | None) -> None:
    """Give up all capabilities for good, and become user `uid` if it is given. Raises OSError."""
    last_file = Path("/proc/sys/kernel/cap_last_cap")
    last = int(last_file.read_text()) if last_file.exists() else 63
    for capability in range(last + 1):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    check(LIBC.capset(header, bytes(24)), "capset")
    check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
