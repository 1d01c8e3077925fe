"""The trusted end of the channel to a student's process, and the watch on what the process uses."""

import contextlib
import os
import selectors
import socket
import time
from typing import TYPE_CHECKING, Any

from autograder.language import _
from transformer_workbook.shared.packing import BadData, header_size, pack, unpack

from .cgroup import MemoryGroup
from .limits import Limits
from .student.confinement.linux import LINUX
from .student.confinement.processes import memory_left, memory_of, tree_of

if TYPE_CHECKING:
    from .fork_server import ForkServer


class Ended(Exception):
    """The student's process is gone."""


class OutOfTime(Exception):
    """The process sent no event in time."""


class OutOfMemory(Exception):
    """The student's processes hold too much memory; with an argument, what no process has is it."""


class TooManyProcesses(Exception):
    """The student's process has started too many others."""


USAGE_INTERVAL = 0.2  # seconds between two checks of memory and processes
SANDBOX_PROCESSES = 16  # that belong to the sandbox, at most
TORCH_MEMORY = 400 << 20  # bytes that a process holds with torch loaded and no student's code
LAST_READS = 16  # of 64 KiB: a full pipe, even if a process still writes to it


class StudentProcess:
    """The trusted end of the channel to one student's process, and of its standard output.

    `pid` is the process that `server` forked, `output` the reading end of a pipe, `group` the
    cgroup that the process is in, if there is one.
    """

    running: set[int] = set()  # the `pid` of each

    def __init__(self, server: "ForkServer", pid: int, limits: Limits,
                 channel: socket.socket, output: int, group: MemoryGroup | None):  # fmt: skip
        self._server, self.pid, self._limits = server, pid, limits
        self._group, self._kills = group, group.kills() if group else 0
        self._channel, self._pipe = channel, output
        channel.setblocking(False)
        os.set_blocking(output, False)
        self._in, self._out, self._printed = bytearray(), bytearray(), bytearray()
        self._received = 0
        self._checked = time.monotonic()
        self._available = self._available_to_all() if LINUX else 0
        self.running.add(pid)
        self._ended = self._closed = False
        self._code: int | None = None
        self._selector = selectors.PollSelector()  # the kernel counts no slots of a user for it
        self._selector.register(channel, selectors.EVENT_READ)
        self._selector.register(output, selectors.EVENT_READ)

    @property
    def output(self) -> str:
        """The last `limits.output` characters that it printed."""
        return self._printed.decode("utf-8", "replace")[-self._limits.output :]

    def send(self, tree: object, before: bytes = b"") -> None:
        """Queue a frame of `before` and the packed tree; `event` writes it."""
        body = before + pack(tree)
        self._out += len(body).to_bytes(8, "little") + body
        self._watch_for_writing()

    def event(self, seconds: float) -> dict[str, Any]:
        """The next event that the process sends, within `seconds`.

        Raises BadData, Ended, OutOfTime, OutOfMemory or TooManyProcesses.
        """
        until = time.monotonic() + seconds
        while True:
            frame = self._next_frame()
            if frame is not None:
                return self._decode(frame)
            if self._ended:
                raise Ended
            left = until - time.monotonic()
            if left <= 0:
                raise OutOfTime
            for key, mask in self._selector.select(min(left, USAGE_INTERVAL)):
                self._transfer(key.fileobj, mask)
            self._check_usage()

    def _next_frame(self) -> bytes | None:
        if len(self._in) < 8:
            return None
        size = int.from_bytes(self._in[:8], "little")
        if size > self._limits.evidence:
            raise BadData(_("it is too large"))
        if len(self._in) < 8 + size:
            return None
        frame = bytes(self._in[8 : 8 + size])
        del self._in[: 8 + size]
        return frame

    def _decode(self, frame: bytes) -> dict[str, Any]:
        if header_size(frame) > self._limits.text:
            raise BadData(_("there is too much text in it"))
        event = unpack(frame)
        if not isinstance(event, dict):
            raise BadData(_("it is no report"))
        event.setdefault("event", "")
        return event

    def _transfer(self, file: object, mask: int) -> None:
        if file is self._channel:
            if mask & selectors.EVENT_WRITE:
                self._write()
            if mask & selectors.EVENT_READ:
                self._read()
        else:
            self._read_output()

    def _write(self) -> None:
        try:
            del self._out[: self._channel.send(memoryview(self._out)[: 1 << 20])]
        except BlockingIOError:
            return
        except OSError:
            self._out.clear()  # the process is gone; what it sent can still be read
        self._watch_for_writing()

    def _watch_for_writing(self) -> None:
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._out else 0)
        if not self._ended:
            self._selector.modify(self._channel, events)

    def _read(self) -> None:
        try:
            part = self._channel.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        if not part:
            self._ended = True
            self._selector.unregister(self._channel)
        self._received += len(part)
        if self._received > self._limits.evidence:
            raise BadData(_("there is too much of it"))
        self._in += part

    def _read_output(self) -> bool:
        """Read some of the output, of which only the end is saved; whether there was any."""
        try:
            part = os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return False
        if not part:
            self._selector.unregister(self._pipe)
            return False
        self._printed += part
        saved = 4 * self._limits.output  # a character has four bytes at most
        if len(self._printed) > 4 * saved:
            del self._printed[:-saved]
        return True

    def _check_usage(self) -> None:
        if not LINUX or time.monotonic() - self._checked < USAGE_INTERVAL:
            return
        self._checked = time.monotonic()
        pids = tree_of(self.pid)
        # The kernel's own limit, RLIMIT_NPROC, is not enforced for uid 0.
        if len(pids) > self._limits.processes + SANDBOX_PROCESSES:
            raise TooManyProcesses
        most = self._limits.memory + TORCH_MEMORY
        if self.ran_out_of_memory or (not self._group and memory_of(pids) > most):
            raise OutOfMemory
        # What no process has, some of it counted nowhere. What they have takes long to measure.
        least = self._available - self._limits.memory
        if memory_left() < least and self._available_to_all() < least:
            raise OutOfMemory(memory_of(pids))

    def _available_to_all(self) -> int:
        """The bytes of memory that the processes of all submissions hold, or could."""
        pids = {member for pid in list(self.running) for member in tree_of(pid)}
        return memory_left() + memory_of(list(pids))

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has killed one of its processes at the cgroup's limit of memory."""
        return self._group is not None and self._group.kills() > self._kills

    def close(self) -> int | None:
        """End the process and all it started; its exit code, if it ended by itself."""
        if not self._closed:
            self._closed = True
            self._channel.close()
            try:
                self._code = self._server.end(grace=0.5 if self._ended else 0.0)
            finally:
                self.running.discard(self.pid)
                with contextlib.suppress(KeyError, OSError):
                    for _attempt in range(LAST_READS):
                        if not self._read_output():
                            break
                os.close(self._pipe)
                self._selector.close()
        return self._code
