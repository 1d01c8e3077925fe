"""Runs code in a copy of the kernel's process that may crash, hang or run out of memory.

Students' code can do all of that, above all when it is changed: a list that contains itself through
another one makes torch.tensor overflow the C stack. The copy is a fork, so it has the student's
objects, and changes to them stay in it.
"""

import builtins
import contextlib
import faulthandler
import gc
import os
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from ..shared.notebook import running_shell
from ..shared.packing import BadData, pack, unpack

MEMORY = 512 << 20  # bytes, on top of what the kernel has
LARGEST = 16 << 20  # bytes of a message
_HEAD = 8  # bytes before a message, with its size

Send = Callable[[Any], None]

# What a copy of the notebook may not do: only the notebook itself may.
_REFUSED = {
    "os.chmod", "os.chown", "os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.link",
    "os.mkdir", "os.posix_spawn", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.system",
    "os.truncate", "os.utime", "pty.spawn", "socket.bind", "socket.connect", "socket.sendmsg",
    "socket.sendto", "sqlite3.connect", "subprocess.Popen",
}  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Child:
    """A copy of this process: its id, and the pipe that receives its messages."""

    def __init__(self, process: int, pipe: int):
        self._process, self._pipe = process, pipe
        self._received = bytearray()

    def receive(self, until: float) -> Any:
        """The child's next message; None if it has ended, or sends none before the time `until`.

        `until` is a time of time.monotonic.
        """
        head = self._take(_HEAD, until)
        size = int.from_bytes(head, "little")
        if not head or size > LARGEST:
            return None
        content = self._take(size, until)
        try:
            return unpack(content) if content else None
        except BadData:
            return None

    def _take(self, size: int, until: float) -> bytes:
        """So many bytes; none if the child has ended or is late."""
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        while len(self._received) < size:
            left = until - time.monotonic()
            if left <= 0 or not poll.poll(1000 * left):
                return b""
            part = os.read(self._pipe, 1 << 16)
            if not part:
                return b""
            self._received += part
        taken = bytes(self._received[:size])
        del self._received[:size]
        return taken

    def end(self) -> None:
        """Kill it, with all processes that it has started."""
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(OSError):
                kill(self._process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(self._process, 0)
        os.close(self._pipe)


@contextlib.contextmanager
def child(action: Callable[[Send], None], seconds: float) -> Iterator[Child | None]:
    """A copy of this process that runs `action` and is killed at the end, or after so many seconds.

    `action` gets a function that sends this process a tree of plain values; see `packing`. None if
    no safe copy can be made: only on Linux is a fork safe beside the threads of torch and of other
    libraries, and nowhere once a GPU is in use.
    """
    made = _start(action, seconds) if can_have_children() else None
    try:
        yield made
    finally:
        if made:
            made.end()


def can_have_children() -> bool:
    """Whether a copy of this process can be made that works."""
    is_on_gpu = torch.cuda.is_initialized() or torch.xpu.is_initialized()
    return sys.platform == "linux" and not is_on_gpu


def _start(action: Callable[[Send], None], seconds: float) -> Child | None:
    try:
        receiving, sending = os.pipe()
    except OSError:
        return None
    parent = os.getpid()
    # An interrupt at the wrong moment would let the copy continue as a second kernel.
    signals = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    process = -1
    try:
        with warnings.catch_warnings(action="ignore"):  # that there are threads
            process = _fork()
        if not process:
            os.close(receiving)
            _run_child(action, sending, seconds)
    except OSError:
        os.close(receiving)
        return None
    finally:
        if os.getpid() != parent:
            os._exit(1)
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)
        os.close(sending)
    return Child(process, receiving)


def _fork() -> int:
    import posix  # os.fork may be a debugger's, which follows the child

    return posix.fork()


def _run_child(action: Callable[[Send], None], pipe: int, seconds: float) -> None:
    """Run the action in the child. After an exception, the parent receives nothing more."""

    def send(tree: Any) -> None:
        content = pack(tree)
        content = len(content).to_bytes(_HEAD, "little") + content
        while content:
            content = content[os.write(pipe, content) :]

    _end_in_time(seconds)
    _silence()
    _limit()
    # A fork copies none of torch's threads.
    torch.set_num_threads(1)
    torch.ones((), requires_grad=True).backward()  # raises where this cannot work in a child
    action(send)


def _end_in_time(seconds: float) -> None:
    """Make sure that the child ends, also if its parent has been killed."""
    os.setpgid(0, 0)
    for name in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def _silence() -> None:
    """Cut the child off from the kernel's input and output: nothing may reach the notebook."""
    faulthandler.disable()
    sys.settrace(None)
    sys.setprofile(None)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    nowhere = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr, sys.__stdout__, sys.__stderr__):
        # Handlers of logging keep streams of their own.
        with contextlib.suppress(AttributeError, TypeError):
            stream.write = len  # type: ignore[method-assign, union-attr]
            stream.flush = _nothing  # type: ignore[method-assign, union-attr]
    sys.stdout = sys.stderr = nowhere
    builtins.input = _nothing
    channel = getattr(getattr(running_shell(), "kernel", None), "iopub_thread", None)
    if channel:
        channel.send_multipart = _nothing


def _nothing(*_arguments: Any, **_more: Any) -> str:
    return ""


def _limit() -> None:
    """Limit the child's memory, and what it does to anything outside of it."""
    import resource

    with contextlib.suppress(OSError):  # where memory runs out all the same, the kernel stays
        Path("/proc/self/oom_score_adj").write_text("1000")
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limits = {
        resource.RLIMIT_AS: pages * resource.getpagesize() + MEMORY,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
    }
    for limit, value in limits.items():
        _soft, hard = resource.getrlimit(limit)
        if hard == resource.RLIM_INFINITY or value < hard:
            resource.setrlimit(limit, (value, value))
    sys.dont_write_bytecode = True
    sys.addaudithook(_refuse)
    # What the kernel has created is not the child's to collect: it may close or remove something.
    gc.freeze()


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    is_writing = event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING
    if is_writing or event in _REFUSED:
        raise PermissionError(event)
