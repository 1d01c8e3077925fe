"""The trusted end of the channel to one student's process: frames, output, memory, the end."""

import contextlib
import os
import selectors
import time
from typing import TYPE_CHECKING

from transformer_workbook.shared import packing as data
from transformer_workbook.shared.packing import BadData

from .cgroup import MemoryGroup
from .student.linux import LINUX
from .student.processes import memory_of, tree_of
from .work import Limits

if TYPE_CHECKING:
    from .fork_server import ForkServer


class Ended(Exception):
    """The student's process is gone."""


class OutOfTime(Exception):
    """No event came in time."""


class OutOfMemory(Exception):
    """The student's processes hold too much memory together."""


class TooManyProcesses(Exception):
    """The student's processes are more than it may have."""


HEADER = 1 << 20  # bytes of text that evidence may have besides its tensors
GLANCE = 0.2  # seconds between looks at what is in use


class StudentProcess:
    """The trusted end of the channel to one student's process, and of what it prints."""

    def __init__(self, server: "ForkServer", pid: int, limits: Limits, channel, output: int,
                 group: MemoryGroup | None):  # fmt: skip
        self._server, self._pid, self._limits = server, pid, limits
        self._group, self._kills = group, group.kills() if group else 0
        self._channel, self._pipe = channel, output
        channel.setblocking(False)
        os.set_blocking(output, False)
        self._in, self._out, self._printed = bytearray(), bytearray(), bytearray()
        self._received = 0
        self._glanced = time.monotonic()
        self._ended = self._closed = False
        self._code: int | None = None
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)
        self._selector.register(output, selectors.EVENT_READ)

    @property
    def output(self) -> str:
        """The end of what it printed."""
        return self._printed.decode("utf-8", "replace")[-self._limits.output :]

    def send(self, tree, before: bytes = b"") -> None:
        body = before + data.pack(tree)
        self._out += len(body).to_bytes(8, "little") + body
        self._watch_for_writing()

    def event(self, seconds: float) -> dict:
        """The next thing it tells. Raises BadData, Ended, OutOfTime or OutOfMemory."""
        until = time.monotonic() + seconds
        while True:
            frame = self._next_frame()
            if frame is not None:
                return _decode(frame)
            if self._ended:
                raise Ended
            left = until - time.monotonic()
            if left <= 0:
                raise OutOfTime
            for key, mask in self._selector.select(min(left, GLANCE)):
                self._attend_to(key.fileobj, mask)
            self._glance()

    def _next_frame(self) -> bytes | None:
        if len(self._in) < 8:
            return None
        size = int.from_bytes(self._in[:8], "little")
        if size > self._limits.evidence:
            raise BadData("it is too large")
        if len(self._in) < 8 + size:
            return None
        frame = bytes(self._in[8 : 8 + size])
        del self._in[: 8 + size]
        return frame

    def _attend_to(self, what, mask: int) -> None:
        if what is self._channel:
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
            self._out.clear()  # it is gone; what it said before can still be read
        self._watch_for_writing()

    def _watch_for_writing(self) -> None:
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._out else 0)
        if not self._ended:
            self._selector.modify(self._channel, wanted)

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
            raise BadData("there is too much of it")
        self._in += part

    def _read_output(self) -> bool:
        """Take what was printed, and keep its end; whether there was any."""
        try:
            part = os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return False
        if not part:
            self._selector.unregister(self._pipe)
            return False
        self._printed += part
        keep = 4 * self._limits.output  # a character has four bytes at most
        if len(self._printed) > 4 * keep:
            del self._printed[:-keep]
        return True

    def _glance(self) -> None:
        if not LINUX or time.monotonic() - self._glanced < GLANCE:
            return
        self._glanced = time.monotonic()
        pids = tree_of(self._pid)
        # The kernel sees to this, but not where the user is root without root's rights.
        if len(pids) > self._limits.processes + self.OF_THE_SANDBOX:
            raise TooManyProcesses
        if self._group:
            if self.was_starved:
                raise OutOfMemory
        elif memory_of(pids) > self._limits.memory + self.TORCH:
            raise OutOfMemory

    @property
    def was_starved(self) -> bool:
        """Whether the kernel has ended one of its processes for want of memory."""
        return self._group is not None and self._group.kills() > self._kills

    OF_THE_SANDBOX = 16  # processes at most
    LEFT_TO_READ = 16  # times 64 KiB: all that a pipe holds, though somebody still writes to it
    TORCH = 400 << 20  # what a process holds that has torch loaded, and nothing of a student's

    def close(self) -> int | None:
        """End the process and all it started; its exit code, if it ended by itself."""
        if not self._closed:
            self._closed = True
            self._channel.close()
            try:
                self._code = self._server.end(grace=0.5 if self._ended else 0.0)
            finally:
                with contextlib.suppress(KeyError, OSError):
                    for _ in range(self.LEFT_TO_READ):
                        if not self._read_output():
                            break
                os.close(self._pipe)
                self._selector.close()
        return self._code


def _decode(frame: bytes) -> dict:
    if int.from_bytes(frame[8:16], "little") > HEADER:
        raise BadData("there is too much text in it")
    event = data.unpack(frame)
    if not isinstance(event, dict):
        raise BadData("it is no report")
    event.setdefault("event", "")
    return event
