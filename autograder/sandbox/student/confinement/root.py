"""The files of a sandbox, whichever program makes its namespaces: what is there besides the view.

A view is a list of (action, path), as `autograder.sandbox.view.plan_view` makes it. An action is
"show" or "hide".
"""

import contextlib
import os

from .linux import LIBC, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY, check

View = list[tuple[str, str]]

WORK = "/student"  # the only folder that can be written to
DEVICES = ("null", "zero", "full", "random", "urandom")
LINKS_TO_WORK = ("/dev/shm", "/tmp")  # folders that programs expect to be able to write to


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """mount(2). Raises OSError."""
    result = LIBC.mount(source.encode(), target.encode(), kind.encode(), flags, options.encode())
    check(result, f"mount {target}")


def mount_proc_and_work(root: str, disk: int, uid: int) -> None:
    """Mount /proc, and a tmpfs of `disk` bytes that user `uid` can write to, below `root`."""
    # The kernel refuses a new /proc where a container hides parts of its own: then there is none.
    with contextlib.suppress(OSError):
        mount("proc", f"{root}/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    size = f"size={disk},nr_inodes=10000,mode=700,uid={uid},gid={_group(uid)}"
    mount("tmpfs", f"{root}{WORK}", "tmpfs", MS_NOSUID | MS_NODEV, size)


def account_files(uid: int) -> dict[str, str]:
    """Files that name user `uid` for programs that ask, by path, in place of the machine's own."""
    group = _group(uid)
    return {
        "/etc/passwd": f"student:x:{uid}:{group}::{WORK}:/bin/false\n",
        "/etc/group": f"student:x:{group}:\n",
    }


def _group(uid: int) -> int:
    return os.getgid() if uid == os.getuid() else uid
