"""Puts a forked process where students' code can do no harm, and ends it with all it started.

Both sides use this file: the trusted one chooses a sandbox and says what may be seen in it; the
forked one calls `enter`, and what returns from it is confined. It needs the standard library
alone, so a process that must not hold the rest of the grader loads this file by its path.

"namespaces" is for Linux: namespaces of its own (files, processes, network, users), limits, no
privileges and a filter of system calls. "bwrap" is the same, but that the program bubblewrap makes
the namespaces and the files in them, and the forked process joins. "none" sets limits alone.
"""

import contextlib
import ctypes
import errno
import json
import os
import platform
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

LINUX = sys.platform == "linux"
WORK = "/student"  # the one folder that can be written, inside a sandbox


class SandboxUnavailable(Exception):
    """The sandbox asked for cannot be had here; the message says what to do about it."""


# The trusted side: choosing, and saying what may be seen.

RISK = (
    "Without a sandbox, students' code runs with all your rights: it can read and delete your "
    "files and use your network. If you trust this code, ask for that by name: --sandbox none"
)
ALLOW_NAMESPACES = (
    "In a container, allow it new namespaces (docker: --security-opt seccomp=unconfined "
    "--cap-add SYS_ADMIN); on Ubuntu, sysctl -w kernel.apparmor_restrict_unprivileged_userns=0; "
    "on others, sysctl -w user.max_user_namespaces=10000."
)
INSTALL_BUBBLEWRAP = (
    "apt install bubblewrap (Debian, Ubuntu) or dnf install bubblewrap (Fedora, RHEL)"
)


def choose(name: str) -> str:
    """The sandbox that `name` means here: "auto" is namespaces, else bwrap, and never none.

    Raises SandboxUnavailable.
    """
    if name == "none":
        if not hasattr(os, "fork"):
            raise SandboxUnavailable(
                "Grading needs Linux or macOS; on Windows, use the Windows Subsystem for Linux."
            )
        return name
    if name not in ("auto", "namespaces", "bwrap"):
        raise ValueError(f"a sandbox is auto, namespaces, bwrap or none, not {name!r}")
    if not LINUX:
        raise SandboxUnavailable(f"Only Linux has the sandbox this needs. {RISK}")
    refusals = []
    if name in ("auto", "namespaces"):
        refusal = refusal_of("namespaces")
        if not refusal:
            return "namespaces"
        refusals.append(
            f"This machine does not allow the namespaces that the sandbox needs ({refusal})."
        )
    if name in ("auto", "bwrap"):
        if not shutil.which("bwrap"):
            refusals.append(
                f"The sandbox 'bwrap' needs the program bubblewrap: {INSTALL_BUBBLEWRAP}."
            )
        else:
            refusal = refusal_of("bwrap")
            if not refusal:
                return "bwrap"
            refusals.append(f"bubblewrap cannot make a sandbox here ({refusal}).")
    if name != "bwrap" or shutil.which("bwrap"):
        refusals.append(ALLOW_NAMESPACES)
    raise SandboxUnavailable(" ".join([*refusals, RISK]))


def refusal_of(kind: str) -> str:
    """Why "namespaces" or "bwrap" cannot be had here; empty if it can. Tries it out."""
    # In a process of its own: forking this one would be wrong where it has threads.
    tried = subprocess.run(
        [sys.executable, "-I", "-S", "-B", __file__, kind], capture_output=True, text=True
    )
    if tried.returncode == 0:
        return ""
    return (tried.stderr.strip().splitlines() or ["no reason given"])[-1]


@dataclass(frozen=True)
class Confinement:
    """What one student's process may see and use. Sizes are in bytes, `cpu` in seconds."""

    kind: str  # "namespaces", "bwrap" or "none"
    view: list[tuple[str, str]] = field(default_factory=list)  # from `plan_view`
    memory: int = 2 << 30  # that a process may have on top of what it starts with
    processes: int = 64
    file_size: int = 64 << 20
    disk: int = 128 << 20
    open_files: int = 256
    cpu: int = 120
    memory_group: str = ""  # the folder of a control group that limits all processes together
    bubblewrap: str = field(default_factory=lambda: shutil.which("bwrap") or "")

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Confinement":
        return cls(**json.loads(text))


# What a Python with its libraries needs of a system, and no more. /etc holds little of interest,
# but the names of users and machines are nobody's business.
SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store",
    "/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime",
)  # fmt: skip
DEVICES = ("null", "zero", "full", "random", "urandom")
SHORTCUTS = ("/dev/shm", "/tmp")  # what programs write to leads to the one folder for that
# Folders of a system where nbgrader keeps what students handed in.
EXCHANGES = (
    "/usr/local/share/nbgrader",
    "/usr/share/nbgrader",
    "/usr/local/share/jupyter/nbgrader",
)


def plan_view(visible: list[str], hidden: list[str]) -> list[tuple[str, str]]:
    """What to do, in order, so that `visible` can be seen and `hidden` cannot: (deed, path).

    A deed is "show" or "hide". A hidden path below a visible one is hidden, and a visible one
    below that is seen again: a virtual environment within a repository, say.
    """
    wanted = {}
    for path in (*SYSTEM, *visible):
        # Where a path goes through links, its true place has to be there as well as its name.
        for name in {os.path.abspath(path), os.path.realpath(path)}:
            if os.path.lexists(name):
                wanted[name] = "show"
    for path in (*EXCHANGES, *hidden):
        if os.path.exists(path):
            wanted.setdefault(os.path.realpath(path), "hide")
    plan: dict[str, str] = {}
    for path in sorted(wanted, key=lambda path: (path.count("/"), path)):
        above = next((plan[str(p)] for p in Path(path).parents if str(p) in plan), "hide")
        if wanted[path] != above or (path in SYSTEM and os.path.islink(path)):
            plan[path] = wanted[path]
    return [(deed, path) for path, deed in plan.items()]


# The forked side.


def enter(
    confinement: Confinement, keep: tuple[int, ...] = (), confiner: int | None = None
) -> None:
    """Confine this freshly forked process; but for "none", what returns is a process within.

    `keep` are the file descriptors that only the confined process may keep; `confiner` is a process
    that confines one at a time, by default this one's parent. The caller's own
    process stays behind and ends when the confined one does, with its exit code, or 128 and the
    number of the signal that killed it. On SIGTERM it ends the confined one and all of its.
    Raises OSError where the system refuses.
    """
    if confinement.memory_group:
        Path(confinement.memory_group, "cgroup.procs").write_text("0")
    if confinement.kind == "none":
        _be_first_to_go()
        os.setsid()
        _set_limits(confinement)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        return
    # Until it can see to the end of all others, this process must not be ended itself.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    uid = _spare_user(confiner) if _has_capability(CAP_SYS_ADMIN) else None
    others = _others_of_this_user() if uid is None else 0
    if confinement.kind == "bwrap":
        _join_bubblewrap(confinement, uid, keep)
    else:
        _become_first(confinement, uid, keep)
    _set_limits(confinement, processes=confinement.processes + others)
    _drop_privileges(uid)
    # A change of user has cleared it.
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _filter_system_calls()
    if confinement.kind == "namespaces":  # bubblewrap has a process 1 of its own
        student = os.fork()
        if student:
            _close(keep)
            _wait_inside(student)
    LIBC.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # so that its memory can be counted from outside
    os.setsid()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _become_first(confinement: Confinement, uid: int | None, keep: tuple[int, ...]) -> None:
    """What returns is process 1 of a world of its own."""
    flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET
    if uid is None:
        _unshare_as_user(flags)
    else:
        _check(LIBC.unshare(flags), "unshare")
    first = os.fork()
    if first:
        _close(keep)
        _wait_outside(first)
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _be_first_to_go()
    _build_root(confinement, os.getuid() if uid is None else uid)
    LIBC.sethostname(b"student", 7)


def _join_bubblewrap(confinement: Confinement, uid: int | None, keep: tuple[int, ...]) -> None:
    """Have bubblewrap make a world; what returns is a process in it."""
    user = os.getuid() if uid is None else uid
    bubblewrap, first = _start_bubblewrap(confinement, user, unshare_user=uid is None)
    kinds = ("user", "pid", "mnt", "net", "ipc", "uts")
    worlds = {kind: os.open(f"/proc/{first}/ns/{kind}", os.O_RDONLY) for kind in kinds}
    if uid is None:
        _check(LIBC.setns(worlds["user"], CLONE_NEWUSER), "setns")
    _check(LIBC.setns(worlds["pid"], CLONE_NEWPID), "setns")
    student = os.fork()
    if student:
        _close(keep)
        _wait_outside(student, first, bubblewrap)
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    _be_first_to_go()
    for kind in ("net", "ipc", "uts", "mnt"):
        _check(LIBC.setns(worlds[kind], 0), "setns")
    _close(worlds.values())
    for stream in (bubblewrap.stdin, bubblewrap.stdout, bubblewrap.stderr):
        stream.close()
    _mount_own_places("", confinement.disk, user)
    os.chdir(WORK)


def _be_first_to_go() -> None:
    """Where memory runs out, the kernel is to end this process, not the grader's."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _start_bubblewrap(
    confinement: Confinement, user: int, unshare_user: bool
) -> tuple[subprocess.Popen, int]:
    """A running bubblewrap whose world is complete, and the number of its process 1."""
    told, tell = os.pipe()
    given = [_pipe_with(text.encode()) for text in _small_files(user).values()]
    given.append(_pipe_with(_filter_program()))
    arguments = [confinement.bubblewrap, "--unshare-pid", "--unshare-net", "--unshare-ipc",
                 "--unshare-uts", "--hostname", "student", "--die-with-parent", "--clearenv",
                 "--info-fd", str(tell), "--seccomp", str(given[-1])]  # fmt: skip
    if unshare_user:
        arguments.append("--unshare-user")
    last = ["--remount-ro", "/"]
    for path in _folders_above(confinement.view):
        arguments += ["--dir", path]  # bubblewrap's own would be for root alone
    for deed, path in confinement.view:
        if deed == "show" and os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif deed == "show":
            arguments += ["--ro-bind", path, path]
        elif os.path.isdir(path):
            arguments += ["--tmpfs", path]
            last += ["--remount-ro", path]
        else:
            arguments += ["--ro-bind", "/dev/null", path]
    for name, descriptor in zip(_small_files(user), given, strict=False):
        arguments += ["--file", str(descriptor), name]
    for name in DEVICES:
        arguments += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    for name in SHORTCUTS:
        if not _is_there(name, confinement.view):
            arguments += ["--symlink", WORK, name]
    # A program that answers when all is made, and then waits for the end.
    arguments += ["--dir", WORK, "--dir", "/proc", *last, "--chdir", "/", "--", "cat"]
    process = subprocess.Popen(
        arguments, bufsize=0, pass_fds=(tell, *given),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    _close((tell, *given))
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(b".")
    if process.stdout.read(1) != b".":
        complaint = process.stderr.read(2000).decode("utf-8", "replace").strip()
        process.wait()
        raise OSError(errno.EPERM, complaint or "bubblewrap ended without a word")
    with open(told, "rb") as file:
        first = json.load(file)["child-pid"]
    return process, first


def _pipe_with(content: bytes) -> int:
    """The end of a pipe from which this little content can be read."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return reading


def _folders_above(view: list[tuple[str, str]]) -> list[str]:
    """The folders on the way to what is shown, outermost first."""
    shown = {path for deed, path in view if deed == "show" and not os.path.islink(path)}
    found = {"/dev", "/etc"}
    for _, path in view:
        above = list(map(str, Path(path).parents))[:-1]
        if not shown & set(above):
            found.update(above)
    return sorted(found - shown, key=lambda path: path.count("/"))


def _is_there(path: str, view: list[tuple[str, str]]) -> bool:
    """Whether the view has this path: shown, in what is shown, or on the way to it."""
    return any(
        Path(other).is_relative_to(path) or (deed == "show" and Path(path).is_relative_to(other))
        for deed, other in view
    )


def _close(descriptors) -> None:
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _wait_outside(
    student: int, first: int | None = None, bubblewrap: subprocess.Popen | None = None
) -> None:
    """Wait for the end of a child within, take with it all that is there, end as it ended.

    `first` is the number of process 1 of that world, where the child itself is not.
    """
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(first or student, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    _, status = os.waitpid(student, 0)
    if bubblewrap:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        if bubblewrap.poll() is None:  # so that the number is still its own
            os.kill(first, signal.SIGKILL)
            bubblewrap.wait()
    os._exit(_exit_code(status))


def _wait_inside(student: int) -> None:
    """What process 1 is for: reap orphans, and take all with it when the student's ends."""
    while True:
        pid, status = os.wait()
        if pid == student:
            os._exit(_exit_code(status))


def _exit_code(status: int) -> int:
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def describe_end(code: int) -> str:
    """How a process ended, in words, from its exit code as `enter` gives it."""
    if code > 128:
        with contextlib.suppress(ValueError):
            return f"the process was ended by {signal.Signals(code - 128).name}"
    return f"the process ended itself with exit code {code}"


# Linux, in detail.

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
CAP_SYS_ADMIN = 21
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID = 1, 2

# Before any fork: loading a library is not for a process that is being confined.
LIBC = ctypes.CDLL(None, use_errno=True)


def _check(result: int, deed: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{deed}: {os.strerror(number)}")
    return result


def _has_capability(number: int) -> bool:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("CapEff:"):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def _spare_user(confiner: int | None = None) -> int | None:
    """A user id that no account has, and no other grader at this moment; None without such ids.

    The kernel counts processes by user id: a fork bomb must be counted on its own.
    """
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    ranges = [tuple(map(int, line.split())) for line in lines]
    first, _, count = max(ranges, key=lambda row: row[0] + row[2])
    mine = confiner or os.getppid()
    wanted = 1_900_000_000 + mine
    if first <= wanted < first + count:
        return wanted
    if count < 10_000:
        return None
    return first + count - 1000 - mine % 4000  # within a container's few ids, away from both ends


def _others_of_this_user() -> int:
    """How many processes and threads count against this user's limit, besides a student's.

    Since Linux 5.14 a user namespace is counted on its own.
    """
    if tuple(map(int, platform.release().split("-")[0].split(".")[:2])) >= (5, 14):
        return 0
    count = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            if entry.stat().st_uid == os.getuid():
                count += len(os.listdir(entry / "task"))
    return count


def _unshare_as_user(flags: int) -> None:
    """An ordinary user gets namespaces with a user namespace around them."""
    uid, gid = os.getuid(), os.getgid()
    done = LIBC.unshare(CLONE_NEWUSER | flags)
    if done < 0 and ctypes.get_errno() == errno.ENOSPC:
        raise OSError(errno.ENOSPC, "unshare: user.max_user_namespaces allows no more of them")
    _check(done, "unshare")
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def _mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    done = LIBC.mount(source.encode(), target.encode(), kind.encode(), flags, options.encode())
    _check(done, f"mount {target}")


def _build_root(confinement: Confinement, uid: int) -> None:
    """A new root folder that holds what is in the view, and one small folder to write in."""
    _mount("none", "/", flags=MS_REC | MS_PRIVATE)
    # First to a root of our own with the old one below it: so every old path can be reached,
    # wherever it lies, while the new root grows.
    base = tempfile.gettempdir()
    _mount("tmpfs", base, "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755")
    os.mkdir(f"{base}/old")
    os.mkdir(f"{base}/new")
    _pivot_root(base, f"{base}/old")
    os.chdir("/")
    _mount("tmpfs", "/new", "tmpfs", MS_NOSUID | MS_NODEV, "size=4m,mode=755")
    for deed, path in confinement.view:
        if deed == "show":
            _show(f"/old{path}", f"/new{path}")
        else:
            _hide(f"/new{path}")
    for name, content in _small_files(uid).items():
        os.makedirs(os.path.dirname(f"/new{name}"), exist_ok=True)
        Path(f"/new{name}").write_text(content)
    os.mkdir(f"/new{WORK}")
    os.mkdir("/new/proc")
    os.makedirs("/new/dev", exist_ok=True)
    for name in DEVICES:
        Path(f"/new/dev/{name}").touch()
        _mount(f"/old/dev/{name}", f"/new/dev/{name}", flags=MS_BIND)
    for name in SHORTCUTS:
        if not os.path.lexists(f"/new{name}"):
            os.symlink(WORK, f"/new{name}")
    _make_read_only("/new")
    _mount_own_places("/new", confinement.disk, uid)
    os.chdir("/new")
    _pivot_root(".", ".")
    _check(LIBC.umount2(b".", MNT_DETACH), "umount2")  # the old root lies upon the new one
    os.chdir(WORK)


def _mount_own_places(root: str, disk: int, uid: int) -> None:
    # Where a container hides parts of /proc, a new one is refused: then there is none.
    with contextlib.suppress(OSError):
        _mount("proc", f"{root}/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC)
    size = f"size={disk},nr_inodes=10000,mode=700,uid={uid},gid={_group(uid)}"
    _mount("tmpfs", f"{root}{WORK}", "tmpfs", MS_NOSUID | MS_NODEV, size)


def _group(uid: int) -> int:
    return os.getgid() if uid == os.getuid() else uid


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
    _mount(old, new, flags=MS_BIND | MS_REC)


def _hide(new: str) -> None:
    if os.path.isdir(new):
        _mount("tmpfs", new, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    elif os.path.exists(new):
        _mount("/old/dev/null", new, flags=MS_BIND)


def _small_files(uid: int) -> dict[str, str]:
    """Programs ask who runs them; the answer need not be the instructor's list of users."""
    group = _group(uid)
    return {
        "/etc/passwd": f"student:x:{uid}:{group}::{WORK}:/bin/false\n",
        "/etc/group": f"student:x:{group}:\n",
    }


def _pivot_root(new: str, old: str) -> None:
    _check(LIBC.syscall(_number("pivot_root"), new.encode(), old.encode()), "pivot_root")


def _make_read_only(root: str) -> None:
    """Everything mounted at or below `root`, at once where the kernel (5.12) knows how."""
    attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID
    wish = ctypes.create_string_buffer(struct.pack("=QQQQ", attributes, 0, 0, 0), 32)
    # Through c_long: what is not named otherwise goes as an int of 32 bits.
    size = ctypes.c_long(32)
    done = LIBC.syscall(_number("mount_setattr"), AT_FDCWD, root.encode(), AT_RECURSIVE, wish, size)
    if done < 0 and ctypes.get_errno() in (errno.ENOSYS, errno.EPERM):
        _make_read_only_one_by_one(root)
    else:
        _check(done, "mount_setattr")


def _make_read_only_one_by_one(root: str) -> None:
    for line in Path("/old/proc/self/mountinfo").read_text().splitlines():
        target = re.sub(r"\\(\d{3})", lambda found: chr(int(found[1], 8)), line.split()[4])
        if target == root or target.startswith(f"{root}/"):
            # What an ordinary user may not take away has to be named again; the numbers that
            # statvfs gives are those that mount takes, but for "relatime".
            kept = os.statvfs(target).f_flag & (MS_NODEV | MS_NOEXEC | 1024 | 2048)
            kept |= (1 << 21) if os.statvfs(target).f_flag & 4096 else 0
            flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | kept
            _mount("none", target, flags=flags)


def _drop_privileges(uid: int | None) -> None:
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text()) if _sees_proc() else 63
    for capability in range(last + 1):
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    LIBC.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = struct.pack("=Ii", 0x20080522, 0)
    _check(LIBC.capset(header, bytes(24)), "capset")
    _check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def _sees_proc() -> bool:
    return os.path.exists("/proc/sys/kernel/cap_last_cap")


def _set_limits(confinement: Confinement, processes: int | None = None) -> None:
    limits = {
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
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
    """What this process has in use before any student's code: torch alone takes much."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 1 << 30
    return pages * resource.getpagesize()


# System calls: (x86-64, aarch64); None where there is none.
# Refused are those that change the machine or its mounts, look into other processes, make
# namespaces, hold memory that no limit counts, or have been doors to the kernel more than once.
SYSTEM_CALLS = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "adjtimex": (159, 171),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "clock_adjtime": (305, 266),
    "clock_settime": (227, 112),
    "delete_module": (176, 106),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "modify_ldt": (154, None),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setdomainname": (171, 162),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "shmget": (29, 194),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}
CLONE, CLONE3, SOCKET, SOCKETPAIR = (56, 220), (435, 435), (41, 198), (53, 199)
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
MACHINE = platform.machine()
COLUMN = {"x86_64": 0, "aarch64": 1}.get(MACHINE)

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, UNKNOWN = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets of what the filter is given


def _number(name: str) -> int:
    number = SYSTEM_CALLS[name][COLUMN] if COLUMN is not None else None
    if number is None:
        raise OSError(errno.ENOSYS, f"the sandbox does not know the processor {MACHINE!r}")
    return number


def _filter_program() -> bytes:
    """The filter in the kernel's own small language, an instruction after the other."""
    if COLUMN is None:
        raise OSError(errno.ENOSYS, f"the sandbox does not know the processor {MACHINE!r}")

    def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("=HBBI", code, if_true, if_false, value)

    program = [
        step(LOAD, ARCHITECTURE),
        step(EQUAL, ARCHITECTURES[MACHINE], 1, 0),
        step(RETURN, KILL),
        step(LOAD, NUMBER),
    ]
    if MACHINE == "x86_64":  # the same calls under other numbers
        program += [step(AT_LEAST, 0x40000000, 0, 1), step(RETURN, KILL)]
    for numbers in SYSTEM_CALLS.values():
        if numbers[COLUMN] is not None:
            program += [step(EQUAL, numbers[COLUMN], 0, 1), step(RETURN, REFUSE)]
    # The filter cannot read the flags of clone3; libraries then use clone, whose flags it can.
    program += [step(EQUAL, CLONE3[COLUMN], 0, 1), step(RETURN, UNKNOWN)]
    new = (
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC
        | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
    )  # fmt: skip
    program += [
        step(EQUAL, CLONE[COLUMN], 0, 4),
        step(LOAD, FIRST_ARGUMENT),
        step(ANY_BIT, new, 0, 1),
        step(RETURN, REFUSE),
        step(RETURN, ALLOW),
        step(EQUAL, SOCKET[COLUMN], 1, 0),
        step(EQUAL, SOCKETPAIR[COLUMN], 0, 3),
        step(LOAD, FIRST_ARGUMENT),
        step(EQUAL, 1, 1, 0),  # AF_UNIX
        step(RETURN, REFUSE),
        step(RETURN, ALLOW),
    ]
    return b"".join(program)


def _filter_system_calls() -> None:
    program = _filter_program()
    code = ctypes.create_string_buffer(program, len(program))
    whole = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    _check(LIBC.prctl(PR_SET_SECCOMP, 2, whole, 0, 0), "seccomp")


# Ending, and watching.


def children_of(pid: int) -> list[int]:
    """The children of a process; none where the system does not say."""
    found = []
    with contextlib.suppress(OSError, ValueError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return found


def tree_of(pid: int) -> list[int]:
    """A process and all that descend from it."""
    found = [pid]
    for one in found:
        found += children_of(one)
        if len(found) > 10_000:
            break
    return found


def memory_of(pids: list[int]) -> int:
    """The bytes that these processes hold together; what they share is counted once."""
    total = 0
    for pid in pids:
        # ProcessLookupError and the like: it has ended meanwhile.
        with contextlib.suppress(OSError, ValueError, IndexError):
            try:
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                total += next(int(li.split()[1]) for li in lines if li.startswith("Pss:")) << 10
            except PermissionError:
                # Not what is mapped from files, but what is shared and no file's.
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                parts = [li.split()[1] for li in lines if li.startswith(("RssAnon:", "RssShmem:"))]
                total += sum(map(int, parts)) << 10
    return total


def adopt_orphans() -> None:
    """From now on, what a child of this process leaves behind becomes its own child."""
    if LINUX:
        LIBC.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def end(pid: int, kind: str, grace: float = 0.0) -> int | None:
    """End what `enter` confined in child `pid`, with all it started; its exit code.

    None if it had to be ended here. `grace` is for a process that is ending by itself.
    """
    status = _wait_at_most(pid, grace)
    code = None if status is None else _exit_code(status)
    if status is None and kind != "none":
        os.kill(pid, signal.SIGTERM)
        _wait_at_most(pid, PATIENCE)
    # What it left behind was adopted: all of it without a sandbox, and within one its process 1,
    # where the kernel has ended the one outside for want of memory.
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if kind == "none":
            with contextlib.suppress(OSError):
                os.killpg(pid, signal.SIGKILL)
        for child in children_of(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            break
        time.sleep(0.002)
    return code


PATIENCE = 5.0  # seconds, with what has been killed


def _wait_at_most(pid: int, seconds: float) -> int | None:
    """The status with which a child ended; None if it did not in this time."""
    until = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        if time.monotonic() >= until:
            return None
        time.sleep(0.001)


def _try_out(kind: str) -> None:
    """Enter a sandbox of this kind once; the exit code tells whether this works here."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            enter(Confinement(kind, plan_view([], [])))
            code = 0 if os.path.isdir("/usr") and os.getcwd() == WORK else 1
        except OSError as error:
            print(error.strerror or error, file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    sys.exit(_exit_code(os.waitpid(pid, 0)[1]))


if __name__ == "__main__":
    _try_out(sys.argv[1])
