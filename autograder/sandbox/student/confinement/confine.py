"""Confines a forked process: it can do no harm, and ends with all it started.

The kinds of sandbox: "namespaces" (Linux) gives the process its own namespaces of files,
processes, network and users, limits, no privileges, and a filter of system calls. "bwrap" differs
only in that the program bubblewrap makes the namespaces and their files, and the process joins
them. "none" only sets limits.

The files of this folder need the standard library alone, and import each other relatively, so that
a process without the rest of the grader can load them; see `../start.py`.
"""

import json
import os
import resource
import shutil
import signal
from dataclasses import asdict, dataclass, field
from pathlib import Path

from . import bubblewrap, namespaces
from .linux import CAP_SYS_ADMIN, LIBC, LINUX, PR_SET_DUMPABLE
from .privileges import drop_privileges, has_capability, spare_user, threads_of_this_user
from .processes import close_all, end_with_parent, prefer_for_oom_kill, wait_inside
from .root import View
from .seccomp import filter_system_calls


@dataclass(frozen=True)
class Confinement:
    """What one student's process may see and use. Sizes are in bytes, `cpu` in seconds."""

    kind: str  # "namespaces", "bwrap" or "none"
    view: View = field(default_factory=list)  # as `autograder.sandbox.view.plan_view` makes it
    memory: int = 2 << 30  # address space of a process, on top of what it has when confined
    processes: int = 64
    file_size: int = 64 << 20
    disk: int = 128 << 20
    open_files: int = 256
    cpu: int = 120
    cgroup: str = ""  # folder of a control group that limits all processes together
    bubblewrap: str = field(default_factory=lambda: shutil.which("bwrap") or "")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Confinement":
        return cls(**json.loads(text))


def enter(confinement: Confinement, keep: tuple[int, ...] = ()) -> None:
    """Confine this freshly forked process. Except for "none", a descendant of it returns.

    The caller's own process stays outside. It ends when the confined process does, with the same
    exit code, or 128 plus the number of the signal that killed it; on SIGTERM it kills everything
    in the sandbox. `keep` are file descriptors that only the confined process keeps open.
    Raises OSError where the system refuses.
    """
    if confinement.cgroup:
        Path(confinement.cgroup, "cgroup.procs").write_text("0")
    if confinement.kind == "none":
        prefer_for_oom_kill()
        os.setsid()
        _set_limits(confinement)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        return
    # Block SIGTERM until this process can pass it on to the sandbox.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    uid = spare_user() if has_capability(CAP_SYS_ADMIN) else None
    already_counted = threads_of_this_user() if uid is None else 0
    if confinement.kind == "bwrap":
        bubblewrap.join(confinement.bubblewrap, confinement.view, confinement.disk, uid, keep)
    else:
        namespaces.become_init(confinement.view, confinement.disk, uid, keep)
    _set_limits(confinement, processes=confinement.processes + already_counted)
    drop_privileges(uid)
    end_with_parent()  # again: the kernel clears this when the user changes
    filter_system_calls()
    if confinement.kind == "namespaces":  # bubblewrap has a process 1 of its own
        student = os.fork()
        if student:
            close_all(keep)
            wait_inside(student)
    LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # so that its memory can be counted from outside
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _set_limits(confinement: Confinement, processes: int | None = None) -> None:
    limits = {
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_SIGPENDING": 1000,
        "RLIMIT_FSIZE": confinement.file_size,
        "RLIMIT_NOFILE": confinement.open_files,
        "RLIMIT_CPU": confinement.cpu,
    }
    if LINUX:
        limits["RLIMIT_AS"] = confinement.memory + _address_space()
    if processes is not None:
        limits["RLIMIT_NPROC"] = processes
    for name, limit in limits.items():
        if hasattr(resource, name):
            number = getattr(resource, name)
            hard = resource.getrlimit(number)[1]
            if hard != resource.RLIM_INFINITY:
                limit = min(limit, hard)
            resource.setrlimit(number, (limit, limit))


def _address_space() -> int:
    """The bytes of address space in use before any student's code runs: torch alone takes many."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 1 << 30
    return pages * resource.getpagesize()
