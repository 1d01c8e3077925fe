"""Starts processes of `student/server.py`: early, while the rest of the grader is imported.

It takes seconds to import torch. So this module does not import it. Within `started_ahead`, the
imports are done once: a zygote, which has imported everything and runs nothing, forks all servers.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import transformer_workbook

from .choose_sandbox import START_SCRIPT
from .view import library_folders

COURSE = str(Path(transformer_workbook.__path__[0]).parent.resolve())  # has the students' package
PATIENCE = 60.0  # seconds; a busy machine may take long to import torch
# They lead to matplotlib's cached list of fonts, which takes a second to make.
HOME_VARIABLES = ("HOME", "MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
# They limit the instruction sets that torch, MKL and oneDNN use.
PROCESSOR_VARIABLES = (
    "ATEN_CPU_CAPABILITY", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


def _environment(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


@dataclass(frozen=True)
class _Settings:
    """What a server process begins with; with the same settings, one can replace the other."""

    script: Path
    environment: dict[str, str]  # a student's code can read it in /proc
    first_message: dict[str, Any]


def _settings(course: str) -> _Settings:
    environment = {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OMP_THREAD_LIMIT": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "CUDA_VISIBLE_DEVICES": "",
        "MPLBACKEND": "Agg",
        "OBJC_DISABLE_INITIALIZE_FORK_SAFETY": "YES",  # macOS: allows forks
    }
    first_message = {
        "folders": [os.path.realpath(path) for path in library_folders()],
        "course": course,
        "home": _environment(HOME_VARIABLES),
        "processor": _environment(PROCESSOR_VARIABLES),
    }
    return _Settings(START_SCRIPT, environment | _environment(["LD_LIBRARY_PATH"]), first_message)


class Forked:
    """A process that a zygote has forked; it has the methods of `subprocess.Popen` used here.

    Its `pid` is 0 until it is ready, and when it is gone. Before it is ready, it ends when its
    socket is closed.
    """

    def __init__(self) -> None:
        self.pid = 0

    def kill(self) -> None:
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, 9)

    def wait(self, timeout: float) -> None:
        """Wait until it is gone. Raises TimeoutExpired."""
        until = time.monotonic() + timeout
        while self.pid:
            try:
                os.kill(self.pid, 0)
            except ProcessLookupError:
                self.pid = 0  # another process may have it from now on
                return
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            time.sleep(0.002)


@dataclass
class ServerProcess:
    """A process that imports what submissions need.

    `control` is the socket on which it takes requests, `stderr` the file of its errors.
    """

    control: socket.socket
    stderr: IO[bytes]
    process: "subprocess.Popen[bytes] | Forked"
    settings: _Settings
    zygote: "ServerProcess | None" = None
    forks: "list[ServerProcess]" = field(default_factory=list)  # of a zygote

    def last_error(self) -> str:
        """The last line of its errors, or of those of the process that forked it."""
        self.stderr.seek(0)
        text = self.stderr.read()[-2000:].decode("utf-8", "replace").strip()
        if not text and self.zygote:
            return self.zygote.last_error()
        return text.splitlines()[-1] if text else ""

    def close(self) -> None:
        """Let it end what it forked, and itself."""
        self.control.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
        self.stderr.close()


def start_server(course: str) -> ServerProcess:
    """A process of its own. `course` is the folder that holds the students' package."""
    return _start(_settings(course))


def _start(settings: _Settings) -> ServerProcess:
    control, theirs = socket.socketpair()
    stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
    with theirs:
        process = subprocess.Popen(
            # -S: the site module would add the grader and the solutions to sys.path.
            [
                sys.executable,
                *("-S", "-s", "-P", "-B"),
                START_SCRIPT,
                "server",
                str(theirs.fileno()),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            env=settings.environment,
            cwd="/",
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    control.settimeout(PATIENCE)
    with contextlib.suppress(OSError):  # the first request meets the error, too
        control.sendall(json.dumps(settings.first_message).encode() + b"\n")
    return ServerProcess(control, stderr, process, settings)


def _fork_server(zygote: ServerProcess) -> ServerProcess:
    """A fork of the zygote, which makes it as soon as it has imported all. Raises OSError."""
    control, theirs = socket.socketpair()
    stderr = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
    with theirs:
        request = json.dumps({"do": "server"}).encode() + b"\n"
        socket.send_fds(zygote.control, [request], [theirs.fileno(), stderr.fileno()])
    control.settimeout(PATIENCE)
    fork = ServerProcess(control, stderr, Forked(), zygote.settings, zygote)
    zygote.forks.append(fork)
    return fork


_zygotes: list[ServerProcess] = []


@contextlib.contextmanager
def started_ahead(course: str = COURSE) -> Iterator[None]:
    """Within this context, a zygote forks all server processes of a course."""
    zygote = start_server(course) if hasattr(os, "fork") else None
    if zygote:
        _zygotes.append(zygote)
    try:
        yield
    finally:
        if zygote:
            _zygotes.remove(zygote)
            for fork in zygote.forks:  # first: the system may take seconds to reap its orphans
                fork.close()
            zygote.process.kill()  # it may still be importing, and has nothing to clean up
            zygote.close()


def server_process(course: str) -> ServerProcess:
    """A process that nobody else uses: a zygote's fork, or a new one if none has its settings."""
    settings = _settings(course)
    for zygote in reversed(_zygotes):
        if zygote.settings == settings:
            with contextlib.suppress(OSError):  # it has died
                return _fork_server(zygote)
    return _start(settings)
