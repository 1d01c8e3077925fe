"""Processes: waiting for them, ending them with all they started, counting them and their memory.

Both sides of the sandbox use this file.
"""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

from .linux import LIBC, LINUX, PR_SET_CHILD_SUBREAPER, PR_SET_PDEATHSIG

PATIENCE = 5.0  # seconds that killed processes have to be gone
MOST_COUNTED = 10_000  # processes of one tree


def exit_code(status: int) -> int:
    """The exit code in a wait status: 128 plus the signal's number if a signal ended the process.

    That is how a shell reports it.
    """
    code = os.waitstatus_to_exitcode(status)
    return 128 - code if code < 0 else code


def describe_end(code: int) -> str:
    """How a process ended, in words, from its code as `exit_code` gives it."""
    if code > 128:
        with contextlib.suppress(ValueError):
            return f"the process was ended by {signal.Signals(code - 128).name}"
    return f"the process ended itself with exit code {code}"


def close_all(descriptors: Iterable[int]) -> None:
    """Close file descriptors; those that are not open are no error."""
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)


def end_with_parent() -> None:
    """Have the kernel kill this process when its parent ends."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def prefer_for_oom_kill() -> None:
    """When memory runs out, the kernel is to kill this process, not the grader."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def adopt_orphans() -> None:
    """Make this process the parent of its descendants whose own parent has ended."""
    if LINUX:
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


# Waiting, in the processes between the grader's and the student's; neither function returns.


def wait_outside(
    child: int, init: int | None = None, bubblewrap: subprocess.Popen[bytes] | None = None
) -> None:
    """Wait until a child in a PID namespace ends, end the namespace, and exit as the child did.

    `init` is process 1 of that namespace where it is not the child itself but bubblewrap's.
    SIGTERM kills process 1, and with it all processes of the namespace.
    """
    end_with_parent()
    signal.signal(signal.SIGTERM, lambda *_: os.kill(init or child, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    _, status = os.waitpid(child, 0)
    if bubblewrap:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        if bubblewrap.poll() is None:  # otherwise `init` may be the number of another process
            os.kill(init or child, signal.SIGKILL)
            bubblewrap.wait()
    os._exit(exit_code(status))


def wait_inside(child: int) -> None:
    """As process 1 of a PID namespace, reap orphans until the child ends, and exit as it did."""
    while True:
        pid, status = os.wait()
        if pid == child:
            os._exit(exit_code(status))


# Ending.


def end(pid: int, kind: str, grace: float = 0.0) -> int | None:
    """End what `confine.enter` confined in child `pid`, with all it started; its exit code.

    The code is None if the child had not ended by itself within `grace` seconds. `kind` is the
    kind of sandbox.
    """
    status = _wait_at_most(pid, grace)
    code = None if status is None else exit_code(status)
    if status is None and kind != "none":
        os.kill(pid, signal.SIGTERM)
        _wait_at_most(pid, PATIENCE)
    # This process has adopted what is left: without a sandbox every descendant of the child;
    # with one, process 1 of the namespace if the kernel killed the process outside it (no memory).
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


def _wait_at_most(pid: int, seconds: float) -> int | None:
    """The wait status of a child; None if it did not end in this time."""
    until = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        if time.monotonic() >= until:
            return None
        time.sleep(0.001)


# Counting.


def children_of(pid: int) -> list[int]:
    """The children of a process; none where there is no /proc."""
    children: list[int] = []
    with contextlib.suppress(OSError, ValueError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            children += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return children


def tree_of(pid: int) -> list[int]:
    """A process and its descendants; counting stops soon after `MOST_COUNTED`."""
    tree = [pid]
    for member in tree:  # which grows meanwhile
        tree += children_of(member)
        if len(tree) > MOST_COUNTED:
            break
    return tree


def memory_of(pids: list[int]) -> int:
    """The bytes of memory that these processes hold together; shared memory counts once."""
    total = 0
    for pid in pids:
        # A process may end at any moment: ProcessLookupError and the like.
        with contextlib.suppress(OSError, ValueError, IndexError):
            try:
                lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
                total += next(int(li.split()[1]) for li in lines if li.startswith("Pss:")) << 10
            except PermissionError:
                # Anonymous and shared memory (counted for each process), without mapped files.
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
                parts = [li.split()[1] for li in lines if li.startswith(("RssAnon:", "RssShmem:"))]
                total += sum(map(int, parts)) << 10
    return total


def memory_left() -> int:
    """The bytes of memory, swap included, that the machine can still give to programs."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    parts = [li.split()[1] for li in lines if li.startswith(("MemAvailable:", "SwapFree:"))]
    return sum(map(int, parts)) << 10
