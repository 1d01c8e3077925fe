"""The sandbox "namespaces": new namespaces, and a root folder that holds only what is shown."""

import ctypes
import errno
import os
import struct
import tempfile
from pathlib import Path

from .linux import (
    AT_FDCWD,
    AT_RECURSIVE,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    LIBC,
    MNT_DETACH,
    MOUNT_ATTR_NOSUID,
    MOUNT_ATTR_RDONLY,
    MS_BIND,
    MS_NODEV,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    check,
)
from .processes import close_all, end_with_parent, prefer_for_oom_kill, wait_outside
from .root import DEVICES, LINKS_TO_WORK, WORK, View, account_files, mount, mount_proc_and_work
from .seccomp import number_of


def become_init(view: View, disk: int, uid: int | None, keep: tuple[int, ...]) -> None:
    """Fork into new namespaces; the process that returns is process 1 there, in folder WORK.

    The caller's own process closes the file descriptors `keep`, waits, and exits as process 1 does.
    `uid` is the user that process 1 will become; with None, the namespaces are made without
    privileges, inside a user namespace. `disk` is the size of WORK in bytes. Raises OSError.
    """
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET
    if uid is None:
        unshare_as_user(flags)
    else:
        check(LIBC.unshare(flags), "unshare")
    init = os.fork()
    if init:
        close_all(keep)
        wait_outside(init)
    end_with_parent()
    prefer_for_oom_kill()
    _build_root(view, disk, os.getuid() if uid is None else uid)
    LIBC.sethostname(b"student", 7)


def unshare_as_user(flags: int) -> None:
    """Make the namespaces of `flags` inside a new user namespace, which needs no privileges."""
    uid, gid = os.getuid(), os.getgid()
    result = LIBC.unshare(CLONE_NEWUSER | flags)
    if result < 0 and ctypes.get_errno() == errno.ENOSPC:
        raise OSError(errno.ENOSPC, "unshare: user.max_user_namespaces allows no more of them")
    check(result, "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def _build_root(view: View, disk: int, uid: int) -> None:
    """Change to a new root folder that holds what the view shows, and the folder WORK."""
    mount("none", "/", flags=MS_REC | MS_PRIVATE)
    os.umask(0o022)  # the student is another user than who starts the grader as root
    # First change to an empty root with the old one at /old. So every old path can be reached
    # while /new is built, even one below the folder that the new root is mounted on.
    base = tempfile.gettempdir()
    mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755")
    os.mkdir(f"{base}/old")
    os.mkdir(f"{base}/new")
    _pivot_root(base, f"{base}/old")
    os.chdir("/")
    mount("tmpfs", "/new", "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755")
    for action, path in view:
        if action == "show":
            _show(f"/old{path}", f"/new{path}")
        else:
            _hide(f"/new{path}")
    for name, content in account_files(uid).items():
        os.makedirs(os.path.dirname(f"/new{name}"), exist_ok=True)
        Path(f"/new{name}").write_text(content)
    os.mkdir(f"/new{WORK}")
    os.mkdir("/new/proc")
    os.makedirs("/new/dev", exist_ok=True)
    for name in DEVICES:
        Path(f"/new/dev/{name}").touch()
        mount(f"/old/dev/{name}", f"/new/dev/{name}", flags=MS_BIND)
    for name in LINKS_TO_WORK:
        if not os.path.lexists(f"/new{name}"):
            os.symlink(WORK, f"/new{name}")
    _make_read_only("/new")
    mount_proc_and_work("/new", disk, uid)
    os.chdir("/new")
    _pivot_root(".", ".")  # mounts the old root over the new one
    check(LIBC.umount2(b".", MNT_DETACH), "umount2")
    os.chdir(WORK)


def _show(old: str, new: str) -> None:
    os.makedirs(os.path.dirname(new), exist_ok=True)
    if os.path.islink(old):
        if not os.path.lexists(new):
            os.symlink(os.readlink(old), new)
        return
    if os.path.isdir(old):
        os.makedirs(new, exist_ok=True)
    elif not os.path.exists(new):
        Path(new).touch()
    mount(old, new, flags=MS_BIND | MS_REC)


def _hide(new: str) -> None:
    if os.path.isdir(new):
        mount("tmpfs", new, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    elif os.path.exists(new):
        mount("/old/dev/null", new, flags=MS_BIND)


def _pivot_root(new: str, old: str) -> None:
    check(LIBC.syscall(number_of("pivot_root"), new.encode(), old.encode()), "pivot_root")


def _make_read_only(root: str) -> None:
    """Make all mounts at or below `root` read-only. Raises OSError before Linux 5.12."""
    flags = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID
    mount_attr = ctypes.create_string_buffer(struct.pack("=QQQQ", flags, 0, 0, 0), 32)
    # As c_long: ctypes would pass a plain int as 32 bits.
    size = ctypes.c_long(32)
    result = LIBC.syscall(
        number_of("mount_setattr"), AT_FDCWD, root.encode(), AT_RECURSIVE, mount_attr, size
    )
    check(result, "mount_setattr")
