"""The trusted side of the fork server, which loads torch once and forks for each submission."""

import contextlib
import json
import os
import socket
from collections.abc import Iterable, Sequence
from typing import Any

from autograder.language import _

from .cgroup import MemoryGroup
from .limits import Limits
from .server_process import server_process
from .student.confinement.confine import Confinement
from .student_process import StudentProcess


class ServerDied(Exception):
    """The fork server is gone, or does not answer."""


class ForkServer:
    """The process of `student/server.py`; it confines each fork in the same way.

    `course` is the folder that holds the students' package.
    """

    def __init__(self, confinement: Confinement, course: str):
        self._server = server_process(course)
        self.control, self.process = self._server.control, self._server.process
        self.is_ready = False
        self._imported: set[str] = set()
        with contextlib.suppress(ServerDied):  # wait_until_ready will raise it
            self._send({"do": "serve", "confinement": confinement.to_json()})

    def wait_until_ready(self, imports: Iterable[str] = ()) -> None:
        """Wait until all imports are done, those of these modules too. Raises ServerDied."""
        if not self.is_ready:
            self.process.pid = self._receive()["pid"]
            self.is_ready = True
        if missing := sorted({*imports} - self._imported):
            self._send({"do": "import", "names": missing})
            self._receive()
            self._imported |= {*missing}

    def fork(self, limits: Limits, folder: str, group: MemoryGroup | None = None) -> StudentProcess:
        """A new student's process; it works in `folder`, if one is named. Raises ServerDied."""
        self.wait_until_ready()
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        try:
            self._send({"do": "fork", "folder": folder}, [theirs.fileno(), writing])
            pid = self._receive()["pid"]
        except BaseException:
            ours.close()
            os.close(reading)
            raise
        finally:
            theirs.close()
            os.close(writing)
        return StudentProcess(self, pid, limits, ours, reading, group)

    def end(self, grace: float) -> int | None:
        """End the student's process; its exit code if it ended by itself within `grace` seconds.

        Raises ServerDied.
        """
        self._send({"do": "end", "grace": grace})
        code: int | None = self._receive()["code"]
        return code

    def stop(self) -> None:
        """End what was forked, and the process itself; safe while another thread waits for it."""
        with contextlib.suppress(OSError):
            self.control.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._server.close()

    def _send(self, request: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        line = json.dumps(request).encode() + b"\n"
        try:
            if descriptors:
                socket.send_fds(self.control, [line], list(descriptors))
            else:
                self.control.sendall(line)
        except OSError as error:
            raise ServerDied(self._last_error()) from error

    def _receive(self) -> dict[str, Any]:
        line = b""
        try:
            while not line.endswith(b"\n"):
                part = self.control.recv(1 << 16)
                if not part:
                    raise ServerDied(self._last_error())
                line += part
        except OSError as error:
            raise ServerDied(self._last_error()) from error
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _last_error(self) -> str:
        return self._server.last_error() or _("it left no message")
