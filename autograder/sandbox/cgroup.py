"""A control group of Linux: one limit on the memory of all processes of a submission together.

Used where one can be made: as root nearly always, as an ordinary user below a folder that systemd
has left to that user. Elsewhere the limit on each process's address space has to do, and the
grader's own look at all of them together.
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
class Files:
    """The names of what a control group's folder holds, in one of the two versions."""

    version: int
    limits: tuple[str, ...]  # the first has to be there
    swap: str
    events: str


VERSION_2 = Files(2, ("memory.max",), "memory.swap.max", "memory.events")
VERSION_1 = Files(
    1, ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), "", "memory.oom_control"
)


class MemoryGroup:
    """One control group, for one student's process at a time. `close` it when all have ended."""

    def __init__(self, folder: Path, files: Files):
        self.folder, self._files = folder, files

    @property
    def version(self) -> int:
        return self._files.version

    def kills(self) -> int:
        """How many processes the kernel has ended because the limit was reached."""
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
    """A control group whose processes may have `limit` bytes together; None if there can be none.

    That a process can be moved into it is tried out.
    """
    for parent, files in _places():
        _remove_left_over(parent)
        folder = parent / f"{NAME}-{os.getpid()}-{next(NUMBERS)}"
        try:
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()  # of a grader that was killed, and had this number
            folder.mkdir()
            for place, name in enumerate(files.limits):
                if place == 0 or (folder / name).exists():
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


def _places() -> list[tuple[Path, Files]]:
    """Where a control group could be made, the nearest first."""
    with contextlib.suppress(OSError):
        return places(
            Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()
        )
    return []


def places(own: str, mounts: str) -> list[tuple[Path, Files]]:
    """The same, from the text of /proc/self/cgroup and of /proc/self/mountinfo."""
    groups = {}
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        groups[controllers] = path
    found = []
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        root, target = (_unescaped(part) for part in before.split()[3:5])
        kind, _, options = after.split(" ", 2)
        if kind == "cgroup2":
            here = _below(target, root, groups.get("", "/"))
            # Whoever limits the memory of its children may have no processes itself, so the
            # place is one above this process's own group, or still further up.
            found += [
                (folder, VERSION_2)
                for folder in (here, *here.parents)
                if folder.is_relative_to(target)
                and "memory" in _words_of(folder / "cgroup.subtree_control")
            ]
        elif kind == "cgroup" and "memory" in options.split(","):
            path = next((path for name, path in groups.items() if "memory" in name.split(",")), "/")
            found.append((_below(target, root, path), VERSION_1))
    return found


def _below(target: str, root: str, path: str) -> Path:
    """The folder of group `path` in a hierarchy of which `root` is mounted at `target`."""
    inner = os.path.relpath(path, root) if root != "/" else path.lstrip("/")
    folder = Path(os.path.normpath(os.path.join(target, inner)))
    return folder if folder.is_relative_to(target) else Path(target)


def _unescaped(text: str) -> str:
    return re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), text)


def _words_of(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []


def _can_be_entered(folder: Path) -> bool:
    script = 'echo 0 > "$1/cgroup.procs"'
    tried = subprocess.run(
        ["/bin/sh", "-c", script, "sh", folder], stdin=subprocess.DEVNULL, capture_output=True
    )
    return tried.returncode == 0


def _remove_left_over(parent: Path) -> None:
    """Remove the groups of graders that were killed; those in use cannot be removed."""
    for folder in parent.glob(f"{NAME}-*"):
        owner = folder.name.split("-")[2]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                folder.rmdir()
