"""Jupyter's own programs over a folder, for as long as a test needs them."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SECONDS = 120  # until it answers, on a busy machine


@contextmanager
def served(module: str, folder: Path, log: Path, *options: str) -> Iterator[str]:
    """The address of `python -m module` over a folder; it asks nobody who they are."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = [
        *(sys.executable, "-m", module, "--no-browser", "--allow-root"),
        *("--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"),
        *("--IdentityProvider.token=", "--ServerApp.password="),
        *(f"--ServerApp.root_dir={folder}", *options),
    ]
    with log.open("wb") as said:
        server = subprocess.Popen(
            command, stdout=said, stderr=said, cwd=folder, start_new_session=True
        )
    try:
        _wait(f"{address}/api/status", server, log)
        yield address
    finally:
        server.terminate()  # which ends its kernels too
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


def _wait(address: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        time.sleep(0.1)
    raise RuntimeError(f"it does not answer:\n{log.read_text()[-4000:]}")


@contextmanager
def formgrader(folder: Path, log: Path) -> Iterator[str]:
    """The address of nbgrader's formgrader on the course in a folder."""
    extension = "{'nbgrader.server_extensions.formgrader': True}"
    option = f"--ServerApp.jpserver_extensions={extension}"
    with served("jupyter_server", folder, log, option) as address:
        yield f"{address}/formgrader"
