"""The filter of system calls, as a seccomp program.

It refuses calls that change the machine or its mounts, inspect other processes, create namespaces,
hold memory that no limit counts or slots that the whole machine shares, slow the machine down,
raise priorities, or have repeatedly been used to exploit the kernel and are useless to a notebook.
Calls that newer kernels have are answered as by an older kernel. A list of allowed calls would
refuse those too, but with each new version of Python or a library also some that these need.
"""

import ctypes
import errno
import json
import os
import platform
import struct

from .linux import (
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    LIBC,
    PR_SET_SECCOMP,
    SECCOMP_MODE_FILTER,
    check,
)

# The refused calls with their numbers on (x86-64, aarch64); None where a processor lacks the call.
with open(os.path.join(os.path.dirname(__file__), "system_calls.json"), encoding="utf-8") as table:
    SYSTEM_CALLS: dict[str, list[int | None]] = json.load(table)
# Linux 6.6 ends with it (fchmodat2). Who raises it has looked at all calls up to it.
LAST_KNOWN = 452
CLONE, CLONE3, FCNTL, SOCKET, SOCKETPAIR = (56, 220), (435, 435), (72, 25), (41, 198), (53, 199)
# Commands of fcntl that hold up who else opens a file, or watch a folder, and newer ones.
F_SETLEASE, F_NOTIFY, F_GETDELEG = 1024, 1026, 1039
AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
MACHINE = platform.machine()
COLUMN = {"x86_64": 0, "aarch64": 1}.get(MACHINE)  # of this processor's numbers
X32_NUMBERS = 0x40000000  # x86-64: where a second set of numbers for the same calls begins
NEW_NAMESPACES = (
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
    | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
)  # fmt: skip
AF_UNIX = 1

# Operations of the kernel's packet filter language (BPF).
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
# What a filter can return.
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, UNKNOWN = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
# Offsets in the seccomp_data that a filter reads.
NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24


def number_of(name: str) -> int:
    """The number of a system call. Raises OSError on a processor other than the two above."""
    if COLUMN is None:
        raise OSError(errno.ENOSYS, f"the sandbox does not know the processor {MACHINE!r}")
    return SYSTEM_CALLS[name][COLUMN] or 0


def filter_program() -> bytes:
    """The filter as an array of `struct sock_filter`. Raises OSError on an unknown processor."""
    number_of("mount")
    assert COLUMN is not None

    def instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("=HBBI", code, if_true, if_false, value)

    program = [
        instruction(LOAD, ARCHITECTURE),
        instruction(EQUAL, AUDIT_ARCHITECTURES[MACHINE], 1, 0),
        instruction(RETURN, KILL),
        instruction(LOAD, NUMBER),
    ]
    if MACHINE == "x86_64":
        program += [instruction(AT_LEAST, X32_NUMBERS, 0, 1), instruction(RETURN, KILL)]
    program += [instruction(AT_LEAST, LAST_KNOWN + 1, 0, 1), instruction(RETURN, UNKNOWN)]
    for numbers in SYSTEM_CALLS.values():
        if (number := numbers[COLUMN]) is not None:
            program += [instruction(EQUAL, number, 0, 1), instruction(RETURN, REFUSE)]
    # A filter cannot read the flags of clone3. On ENOSYS, libraries fall back to clone.
    program += [instruction(EQUAL, CLONE3[COLUMN], 0, 1), instruction(RETURN, UNKNOWN)]
    program += [
        instruction(EQUAL, CLONE[COLUMN], 0, 4),
        instruction(LOAD, FIRST_ARGUMENT),
        instruction(ANY_BIT, NEW_NAMESPACES, 0, 1),
        instruction(RETURN, REFUSE),
        instruction(RETURN, ALLOW),
        instruction(EQUAL, FCNTL[COLUMN], 0, 6),
        instruction(LOAD, SECOND_ARGUMENT),
        instruction(EQUAL, F_SETLEASE, 2, 0),
        instruction(EQUAL, F_NOTIFY, 1, 0),
        instruction(AT_LEAST, F_GETDELEG, 0, 1),
        instruction(RETURN, REFUSE),
        instruction(RETURN, ALLOW),
        instruction(EQUAL, SOCKET[COLUMN], 1, 0),
        instruction(EQUAL, SOCKETPAIR[COLUMN], 0, 3),
        instruction(LOAD, FIRST_ARGUMENT),
        instruction(EQUAL, AF_UNIX, 1, 0),
        instruction(RETURN, REFUSE),
        instruction(RETURN, ALLOW),
    ]
    return b"".join(program)


def filter_system_calls() -> None:
    """Install the filter in this process, for good. Raises OSError."""
    program = filter_program()
    code = ctypes.create_string_buffer(program, len(program))
    sock_fprog = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    check(LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, sock_fprog, 0, 0), "seccomp")
