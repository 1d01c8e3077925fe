"""Starts the process of `student/server.py`: early, while the rest of the grader is imported.

It takes seconds to import torch. So this module does not import it.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import transformer_workbook

from .choose import START
from .view import library_folders

COURSE = str(Path(transformer_workbook.__path__[0]).parent.resolve())  # has the students' package
# They lead to matplotlib's cached list of fonts, which takes a second to make.
HOME_VARIABLES = ("HOME", "MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
# They limit the instruction sets that torch, MKL and oneDNN use.
PROCESSOR_VARIABLES = (
    "ATEN_CPU_CAPABILITY", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


def _environment(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


class ServerProcess:
    """A process that imports what submissions need. `course` has the students' package.

    `control` is the socket on which it takes orders, `complaints` the file of its errors.
    """

    PATIENCE = 60.0  # seconds; a busy machine may take long to import torch

    def __init__(self, course: str):
        self.control, theirs = socket.socketpair()
        self.control.settimeout(self.PATIENCE)
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
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
            stderr=self.complaints,
            env=environment,
            cwd="/",
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        settings = {
            "folders": [os.path.realpath(path) for path in library_folders()],
            "course": course,
            "home": _environment(HOME_VARIABLES),
            "processor": _environment(PROCESSOR_VARIABLES),
        }
        with contextlib.suppress(OSError):  # whoever gives it orders meets the error, too
            self.control.sendall(json.dumps(settings).encode() + b"\n")

    def close(self) -> None:
        """Let it end what it forked, and itself."""
        self.control.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        self.complaints.close()


_ahead: list[ServerProcess] = []


@contextlib.contextmanager
def started_ahead() -> Iterator[None]:
    """Within this context, the first `server_process` has been started already."""
    if hasattr(os, "fork"):
        _ahead.append(ServerProcess(COURSE))
    try:
        yield
    finally:
        while _ahead:  # nobody needed it, and it has forked nothing
            _ahead[-1].process.kill()
            _ahead.pop().close()


def server_process(course: str) -> ServerProcess:
    """A process that nobody else uses: new, or started ahead."""
    if course == COURSE:
        with contextlib.suppress(IndexError):  # another thread may take it
            return _ahead.pop()
    return ServerProcess(course)
