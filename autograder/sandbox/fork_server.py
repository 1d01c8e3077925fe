"""The trusted side of the fork server, which loads torch once and forks for each submission."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import Any

from .cgroup import MemoryGroup
from .channel import StudentProcess
from .choose import START
from .student.confinement.confine import Confinement
from .view import library_folders
from .work import Limits


class ServerDied(Exception):
    """The fork server is gone, or does not answer."""


# They lead to matplotlib's cached list of fonts, which takes a second to make.
HOME_VARIABLES = ("HOME", "MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
# They limit the instruction sets that torch, MKL and oneDNN use.
PROCESSOR_VARIABLES = (
    "ATEN_CPU_CAPABILITY", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


def _environment(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


class ForkServer:
    """The process of `student/server.py`; it confines each fork in the same way.

    `course` is the folder that holds the students' package.
    """

    PATIENCE = 60.0  # seconds; a busy machine may take long to import torch

    def __init__(self, confinement: Confinement, course: str):
        self.control, theirs = socket.socketpair()
        self.control.settimeout(self.PATIENCE)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        # A student's code can read this environment in /proc.
        environment = {
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
            "OMP_THREAD_LIMIT": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "CUDA_VISIBLE_DEVICES": "",
            "OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES",  # macOS: allows forks
        }
        environment |= _environment(["LD_LIBRARY_PATH"])
        self.process = subprocess.Popen(
            # -S: the site module would add the grader and the solutions to sys.path.
            [sys.executable, *("-S", "-s", "-P", "-B"), START, "server", str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            env=environment,
            cwd="/",
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        self.is_ready = False
        settings = {
            "folders": [os.path.realpath(path) for path in library_folders()],
            "course": course,
            "confinement": confinement.to_json(),
            "home": _environment(HOME_VARIABLES),
            "processor": _environment(PROCESSOR_VARIABLES),
        }
        with contextlib.suppress(ServerDied):  # wait_until_ready will raise it
            self._send(settings)

    def wait_until_ready(self) -> None:
        """Wait until all imports are done. Raises ServerDied."""
        if not self.is_ready:
            self._receive()
            self.is_ready = True

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

    def close(self) -> None:
        self.control.close()  # then the process ends what it forked, and itself
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        self._complaints.close()

    def _send(self, order: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
        line = json.dumps(order).encode() + b"\n"
        try:
            if descriptors:
                socket.send_fds(self.control, [line], list(descriptors))
            else:
                self.control.sendall(line)
        except OSError as error:
            raise ServerDied(self._last_complaint()) from error

    def _receive(self) -> dict[str, Any]:
        line = b""
        try:
            while not line.endswith(b"\n"):
                part = self.control.recv(1 << 16)
                if not part:
                    raise ServerDied(self._last_complaint())
                line += part
        except OSError as error:
            raise ServerDied(self._last_complaint()) from error
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_complaint(self) -> str:
        self._complaints.seek(0)
        text = self._complaints.read()[-2000:].decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else "it left no message"
