"""The filter of system calls, as a seccomp program.

It refuses calls that change the machine or its mounts, inspect other processes, create namespaces,
hold memory that no limit counts or slots that the whole machine shares, slow the machine down,
raise priorities, or have repeatedly been used to exploit the kernel and are useless to a notebook.
Calls that newer kernels have are answered as by an older kernel. A list of allowed calls would
refuse those too, but with each new version of Python or a library also some that these need.
"""

import ctypes
import errno
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
SYSTEM_CALLS = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsetxattr": (190, 7),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "futex_waitv": (449, 449),
    "init_module": (175, 105),
    "inotify_add_watch": (254, 27),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "inotify_rm_watch": (255, 28),
    "io_cancel": (210, 3),
    "io_destroy": (207, 1),
    "io_getevents": (208, 4),
    "io_pgetevents": (333, 292),
    "io_setup": (206, 0),
    "io_submit": (209, 2),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "ioprio_set": (251, 30),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "landlock_add_rule": (445, 445),
    "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446),
    "lsetxattr": (189, 6),
    "mbind": (237, 235),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "mlock": (149, 228),
    "mlock2": (325, 284),
    "mlockall": (151, 230),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "mq_getsetattr": (245, 185),
    "mq_notify": (244, 184),
    "mq_open": (240, 180),
    "mq_timedreceive": (243, 183),
    "mq_timedsend": (242, 182),
    "mq_unlink": (241, 181),
    "msgctl": (71, 187),
    "msgget": (68, 186),
    "msgrcv": (70, 188),
    "msgsnd": (69, 189),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "remap_file_pages": (216, 234),
    "request_key": (249, 218),
    "sched_setattr": (314, 274),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "seccomp": (317, 277),
    "semctl": (66, 191),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "set_mempolicy": (238, 237),
    "set_mempolicy_home_node": (450, 450),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "setpriority": (141, 140),
    "settimeofday": (164, 170),
    "setxattr": (188, 5),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmget": (29, 194),
    "splice": (275, 76),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "sync": (162, 81),
    "syncfs": (306, 267),
    "syslog": (103, 116),
    "tee": (276, 77),
    "timer_create": (222, 107),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
    "vmsplice": (278, 75),
}
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
