"""A control group (cgroup) of Linux: one limit on the memory of all processes of a submission.

Root can nearly always make one; another user can below a folder that systemd delegates to that
user. Elsewhere, a limit on each process's address space and the grader's own count of the memory
of all processes take its place.
"""

import contextlib
import itertools
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

NAME = "transformer-grader"
NUMBERS = itertools.count()


@dataclass(frozen=True)
class GroupFiles:
    """The names of the files in a cgroup's folder, in one of the two versions of cgroups."""

    version: int
    limits: tuple[str, ...]  # only the first exists on every system
    swap: str
    events: str


VERSION_2 = GroupFiles(2, ("memory.max",), "memory.swap.max", "memory.events")
VERSION_1 = GroupFiles(
    1, ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), "", "memory.oom_control"
)


class MemoryGroup:
    """A cgroup for one student's process at a time. `close` it when its processes have ended."""

    def __init__(self, folder: Path, files: GroupFiles):
        self.folder, self._files = folder, files

    @property
    def version(self) -> int:
        return self._files.version

    def kills(self) -> int:
        """How many processes the kernel has killed because the limit was reached."""
        with contextlib.suppress(OSError, ValueError):
            for line in (self.folder / self._files.events).read_text().splitlines():
                name, number = line.split()
                if name == "oom_kill":
                    return int(number)
        return 0

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.folder.rmdir()


def make(limit: int) -> MemoryGroup | None:
    """A cgroup whose processes may hold `limit` bytes together; None if the system refuses one."""
    for parent, files in _parents():
        _remove_left_over(parent)
        folder = parent / f"{NAME}-{os.getpid()}-{next(NUMBERS)}"
        try:
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()  # left by a killed grader that had the same process id
            folder.mkdir()
            for index, name in enumerate(files.limits):
                if index == 0 or (folder / name).exists():
                    (folder / name).write_text(str(limit))
            if files.swap and (folder / files.swap).exists():
                (folder / files.swap).write_text("0")
            if _can_be_entered(folder):
                return MemoryGroup(folder, files)
        except OSError:
            pass
        with contextlib.suppress(OSError):
            folder.rmdir()
    return None


def _parents() -> list[tuple[Path, GroupFiles]]:
    with contextlib.suppress(OSError):
        return possible_parents(
            Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()
        )
    return []


def possible_parents(cgroups: str, mounts: str) -> list[tuple[Path, GroupFiles]]:
    """The folders that a cgroup may be made in, the nearest first, and the version of each.

    `cgroups` is the text of /proc/self/cgroup, `mounts` that of /proc/self/mountinfo.
    """
    groups = {}
    for line in cgroups.splitlines():
        _, controllers, path = line.split(":", 2)
        groups[controllers] = path
    parents = []
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        root, target = (_unescaped(part) for part in before.split()[3:5])
        kind, _, options = after.split(" ", 2)
        if kind == "cgroup2":
            here = _mounted_folder(target, root, groups.get("", "/"))
            # A cgroup that limits the memory of its children may not hold processes itself, so
            # the parent is above this process's own cgroup.
            parents += [
                (folder, VERSION_2)
                for folder in (here, *here.parents)
                if folder.is_relative_to(target)
                and "memory" in _read_fields(folder / "cgroup.subtree_control")
            ]
        elif kind == "cgroup" and "memory" in options.split(","):
            path = next((path for name, path in groups.items() if "memory" in name.split(",")), "/")
            parents.append((_mounted_folder(target, root, path), VERSION_1))
    return parents


def _mounted_folder(target: str, root: str, path: str) -> Path:
    """The folder of cgroup `path`, where cgroup `root` of its hierarchy is mounted at `target`."""
    inner = os.path.relpath(path, root) if root != "/" else path.lstrip("/")
    folder = Path(os.path.normpath(os.path.join(target, inner)))
    return folder if folder.is_relative_to(target) else Path(target)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), text)


def _read_fields(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []


def _can_be_entered(folder: Path) -> bool:
    script = 'echo 0 > "$1/cgroup.procs"'
    trial = subprocess.run(
        ["/bin/sh", "-c", script, "sh", folder], stdin=subprocess.DEVNULL, capture_output=True
    )
    return trial.returncode == 0


def _remove_left_over(parent: Path) -> None:
    """Remove the cgroups of killed graders; the kernel does not remove those in use."""
    for folder in parent.glob(f"{NAME}-*"):
        owner = folder.name.split("-")[2]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                folder.rmdir()
