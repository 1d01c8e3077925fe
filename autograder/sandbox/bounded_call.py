"""Calls functions that analyse what students wrote or sent, in a process that may be killed.

The functions are the grader's own, and their arguments are data. But nobody can foresee how long
they take on hostile data, or how much memory. So they run in a process beside the grader, with a
limit on both: a call that does not finish has no result, and costs nothing else.
"""

import atexit
import contextlib
import json
import os
import queue
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from transformer_workbook.shared.packing import BadData, pack, unpack

from .server_process import COURSE, ServerProcess, server_process
from .student.frames import read_exactly

SECONDS = 5.0  # of one call; an ordinary one takes some hundredths of a second
MEMORY = 1 << 30  # bytes, on top of Python and torch
LARGEST = 32 << 20  # bytes of what is analysed; the evidence of a component has some thousand
SECONDS_TO_START = 60.0  # seconds that a process may take to start on a busy machine
ROOT = str(Path(__file__).parents[2])
LANGUAGE_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


class NotFinished(Exception):
    """A call took too long, too much memory, or raised an exception; it has no result."""


def call(
    module: str,
    function: str,
    arguments: dict[str, Any],
    seconds: float = SECONDS,
    largest: int = LARGEST,
) -> Any:
    """The result of `module.function(**arguments)`, computed in another process.

    Arguments and results are trees of plain values and tensors, see `packing`; `largest` is how
    many bytes the arguments may take. Raises NotFinished.
    """
    try:
        content = pack({"module": module, "function": function, "arguments": arguments})
    except (BadData, ValueError) as error:
        raise NotFinished(str(error)) from error
    if len(content) > largest:
        raise NotFinished("it is too large")
    with _idle_process() as process:
        return process.call(content, seconds)


_idle: queue.SimpleQueue["_Process"] = queue.SimpleQueue()


@contextlib.contextmanager
def _idle_process() -> Iterator["_Process"]:
    """A process that no other thread uses; each thread that needs one at the same time adds one."""
    try:
        process = _idle.get_nowait()
    except queue.Empty:
        process = _new_process()
    try:
        yield process
    finally:
        if process.is_alive:
            _idle.put(process)


def _new_process() -> "_Process":
    try:
        return _Process()
    except OSError as error:  # the system refuses another process
        raise NotFinished(str(error)) from error


@atexit.register
def close_all() -> None:
    """End all processes that are idle."""
    with contextlib.suppress(queue.Empty):
        while True:
            _idle.get_nowait().kill()


class _Process:
    """A process of `sandbox/analysis_process.py`, which carries out one call after the other."""

    def __init__(self) -> None:
        self._server: ServerProcess = server_process(COURSE)
        self.is_alive = True
        request = {
            "do": "analyse",
            # An editable installation may have left no trace in sys.path.
            "path": [ROOT, COURSE, *filter(None, sys.path)],
            "environment": {v: os.environ[v] for v in LANGUAGE_VARIABLES if v in os.environ},
            "memory": MEMORY,
        }
        try:
            self._control.sendall(json.dumps(request).encode() + b"\n")
            (self._server.process.pid,) = unpack(
                self._receive_frame(time.monotonic() + SECONDS_TO_START)
            )
        except (OSError, BadData) as error:
            reason = self._server.last_error() or str(error)
            self.kill()
            raise NotFinished(reason) from error

    @property
    def _control(self) -> socket.socket:
        return self._server.control

    def call(self, content: bytes, seconds: float) -> Any:
        """The result of the packed call `content`. Raises NotFinished."""
        until = time.monotonic() + seconds
        try:
            self._control.settimeout(seconds)
            milliseconds = int(seconds * 1000).to_bytes(8, "little")
            self._control.sendall(len(content).to_bytes(8, "little") + milliseconds + content)
            reply = unpack(self._receive_frame(until))
        except (OSError, BadData) as error:  # a timeout is an OSError
            self.kill()
            raise NotFinished(str(error)) from error
        except BaseException:
            self.kill()
            raise
        if "error" in reply:
            raise NotFinished(reply["error"])
        return reply["result"]

    def _receive_frame(self, until: float) -> bytes:
        def receive(size: int) -> bytes:
            self._control.settimeout(max(until - time.monotonic(), 0.001))
            part = self._control.recv(size)
            if not part:
                raise OSError("the process has ended")
            return part

        return read_exactly(int.from_bytes(read_exactly(8, receive), "little"), receive)

    def kill(self) -> None:
        """End it at once."""
        self.is_alive = False
        self._server.process.kill()
        self._server.close()
