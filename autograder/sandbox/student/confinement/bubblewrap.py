"""The sandbox "bwrap": the program bubblewrap makes the namespaces and their files."""

import contextlib
import errno
import json
import os
import subprocess
from pathlib import Path

from .linux import CLONE_NEWPID, CLONE_NEWUSER, LIBC, check
from .processes import close_all, end_with_parent, prefer_for_oom_kill, wait_outside
from .root import DEVICES, LINKS_TO_WORK, WORK, View, account_files, mount_proc_and_work
from .seccomp import filter_program


def join(program: str, view: View, disk: int, uid: int | None, keep: tuple[int, ...]) -> None:
    """Fork into namespaces that bubblewrap makes; the process that returns is there, in WORK.

    `program` is the path of bubblewrap; the rest is as for `namespaces.become_init`, except that
    process 1 is bubblewrap's own. Raises OSError.
    """
    user = os.getuid() if uid is None else uid
    bubblewrap, init = _start(program, view, user, unshare_user=uid is None)
    kinds = ("user", "pid", "mnt", "net", "ipc", "uts")
    namespaces = {kind: os.open(f"/proc/{init}/ns/{kind}", os.O_RDONLY) for kind in kinds}
    if uid is None:
        check(LIBC.setns(namespaces["user"], CLONE_NEWUSER), "setns")
    check(LIBC.setns(namespaces["pid"], CLONE_NEWPID), "setns")
    student = os.fork()
    if student:
        close_all(keep)
        wait_outside(student, init, bubblewrap)
    end_with_parent()
    prefer_for_oom_kill()
    for kind in ("net", "ipc", "uts", "mnt"):
        check(LIBC.setns(namespaces[kind], 0), "setns")
    close_all(namespaces.values())
    for stream in (bubblewrap.stdin, bubblewrap.stdout, bubblewrap.stderr):
        if stream:
            stream.close()
    mount_proc_and_work("", disk, user)
    os.chdir(WORK)


def _start(
    program: str, view: View, user: int, unshare_user: bool
) -> tuple[subprocess.Popen[bytes], int]:
    """A running bubblewrap whose namespaces are complete, and the number of its process 1."""
    info_reading, info_writing = os.pipe()
    contents = [_pipe_with(text.encode()) for text in account_files(user).values()]
    seccomp = _pipe_with(filter_program())
    arguments = [program, "--unshare-pid", "--unshare-net", "--unshare-ipc",
                 "--unshare-uts", "--hostname", "student", "--die-with-parent", "--clearenv",
                 "--info-fd", str(info_writing), "--seccomp", str(seccomp)]  # fmt: skip
    if unshare_user:
        arguments.append("--unshare-user")
    arguments += _arguments_for(view)
    for name, descriptor in zip(account_files(user), contents, strict=True):
        arguments += ["--file", str(descriptor), name]
    for name in DEVICES:
        arguments += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name in LINKS_TO_WORK:
        if not _contains(view, name):
            arguments += ["--symlink", WORK, name]
    arguments += ["--dir", WORK, "--dir", "/proc", "--remount-ro", "/"]
    for action, path in view:
        if action == "hide" and os.path.isdir(path):
            arguments += ["--remount-ro", path]
    # `cat` runs when everything is made: it returns a byte, and then waits for the end.
    arguments += ["--chdir", "/", "--", "cat"]
    process = subprocess.Popen(
        arguments, bufsize=0, pass_fds=(info_writing, *contents, seccomp),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    close_all((info_writing, *contents, seccomp))
    assert process.stdin and process.stdout and process.stderr
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(b".")
    if process.stdout.read(1) != b".":
        message = process.stderr.read(2000).decode("utf-8", "replace").strip()
        process.wait()
        raise OSError(errno.EPERM, message or "bubblewrap ended without a word")
    with open(info_reading, "rb") as file:
        return process, json.load(file)["child-pid"]


def _arguments_for(view: View) -> list[str]:
    arguments = []
    for path in _folders_above(view):
        arguments += ["--dir", path]  # bubblewrap would make them for root alone
    for action, path in view:
        if action == "show" and os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif action == "show":
            arguments += ["--ro-bind", path, path]
        elif os.path.isdir(path):
            arguments += ["--tmpfs", path]
        else:
            arguments += ["--ro-bind", "/dev/null", path]
    return arguments


def _pipe_with(content: bytes) -> int:
    """The reading end of a pipe with this content, which must fit into the pipe's buffer."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return reading


def _folders_above(view: View) -> list[str]:
    """The folders above what the view shows, outermost first."""
    shown = {path for action, path in view if action == "show" and not os.path.islink(path)}
    folders = {"/dev", "/etc"}
    for _, path in view:
        above = list(map(str, Path(path).parents))[:-1]
        if not shown & set(above):
            folders.update(above)
    return sorted(folders - shown, key=lambda path: path.count("/"))


def _contains(view: View, path: str) -> bool:
    """Whether this path exists in the sandbox: shown, below what is shown, or above it."""
    return any(
        Path(place).is_relative_to(path) or (action == "show" and Path(path).is_relative_to(place))
        for action, place in view
    )
