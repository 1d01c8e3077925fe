"""The process that has torch loaded and forks for each submission; see student/server.py."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .cgroup import MemoryGroup
from .channel import StudentProcess
from .student.confine import Confinement
from .view import library_folders
from .work import Limits


class ServerDied(Exception):
    """The process that forks is gone, or does not answer."""


START = Path(__file__).parent / "student" / "start.py"
# Where matplotlib keeps its list of fonts, which takes a second to make.
HOME_VARIABLES = ("HOME", "MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
# Which of the processor's instructions torch, MKL and oneDNN may use.
PROCESSOR_VARIABLES = (
    "ATEN_CPU_CAPABILITY", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


def _environment(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


class ForkServer:
    """The process that has torch loaded and forks for each submission; see student/server.py."""

    PATIENCE = 60.0  # seconds; a busy machine may take long to import torch

    def __init__(self, confinement: Confinement, course: str):
        self._control, theirs = socket.socketpair()
        self._control.settimeout(self.PATIENCE)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        # A student's code can read the environment that this process is started with.
        environment = {
            "PATH": os.defpath,
            "LANG": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
            "OMP_THREAD_LIMIT": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            "CUDA_VISIBLE_DEVICES": "",
            "OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES",  # macOS: it only ever forks
        }
        environment |= _environment(["LD_LIBRARY_PATH"])
        self._process = subprocess.Popen(
            # No site: what it would add to the path leads to the grader and the solutions.
            [
                sys.executable,
                "-S",
                "-s",
                "-P",
                "-B",
                START,
                "server",
                str(theirs.fileno()),
            ],  # fmt: skip
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            env=environment,
            cwd="/",
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        self._is_ready = False
        settings = {
            "folders": [os.path.realpath(path) for path in library_folders()],
            "course": course,
            "confinement": confinement.to_json(),
            "home": _environment(HOME_VARIABLES),
            "processor": _environment(PROCESSOR_VARIABLES),
        }
        with contextlib.suppress(ServerDied):  # it will be noticed by who waits for it
            self._tell(settings)

    def wait_until_ready(self) -> None:
        if not self._is_ready:
            self._hear()
            self._is_ready = True

    def fork(self, limits: Limits, folder: str, group: MemoryGroup | None = None) -> StudentProcess:
        """A new student's process. Raises ServerDied."""
        self.wait_until_ready()
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        try:
            self._tell({"do": "fork", "folder": folder}, [theirs.fileno(), writing])
            pid = self._hear()["pid"]
        except BaseException:
            ours.close()
            os.close(reading)
            raise
        finally:
            theirs.close()
            os.close(writing)
        return StudentProcess(self, pid, limits, ours, reading, group)

    def end(self, grace: float) -> int | None:
        """End the student's process; its exit code if it ended by itself within the grace."""
        self._tell({"do": "end", "grace": grace})
        return self._hear()["code"]

    def close(self) -> None:
        self._control.close()  # it ends by itself, with what it forked
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
        self._complaints.close()

    def _tell(self, order: dict, descriptors=()) -> None:
        line = json.dumps(order).encode() + b"\n"
        try:
            if descriptors:
                socket.send_fds(self._control, [line], list(descriptors))
            else:
                self._control.sendall(line)
        except OSError as error:
            raise ServerDied(self._last_words()) from error

    def _hear(self) -> dict:
        line = b""
        try:
            while not line.endswith(b"\n"):
                part = self._control.recv(1 << 16)
                if not part:
                    raise ServerDied(self._last_words())
                line += part
        except OSError as error:
            raise ServerDied(self._last_words()) from error
        return json.loads(line)

    def _last_words(self) -> str:
        self._complaints.seek(0)
        text = self._complaints.read()[-2000:].decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else "it left no message"
