"""Kernels that start at once: each is forked from a process that has imported torch already.

warm_kernels.py serve SOCKET        import, then fork a kernel for each connection
warm_kernels.py start SOCKET ...    what Jupyter starts in place of a kernel: it ends with it
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def warm_kernels() -> Iterator[str]:
    """Kernels of this Python, in a folder for JUPYTER_PATH, where they are called python3."""
    one_thread = os.environ | {"OMP_NUM_THREADS": "1"}  # it is read when torch is imported
    with (
        tempfile.TemporaryDirectory() as folder,  # its path is short: that of a socket has to be
        socket.socket(socket.AF_UNIX) as server,
        subprocess.Popen(
            [sys.executable, "-P", __file__, "serve", str(server.fileno())],
            env=one_thread, pass_fds=[server.fileno()],
        ) as process,
    ):  # fmt: skip
        address = f"{folder}/socket"
        argv = [sys.executable, "-I", "-S", __file__, "start", address, "-f", "{connection_file}"]
        spec = Path(folder) / "kernels/python3/kernel.json"
        spec.parent.mkdir(parents=True)
        spec.write_text(json.dumps({"argv": argv, "display_name": "", "language": "python"}))
        server.bind(address)
        server.listen()  # who connects before all is imported waits for it
        try:
            yield folder
        finally:
            process.kill()


def serve(descriptor: str) -> None:
    import torch.fx.experimental.symbolic_shapes  # noqa: F401  the first gradient imports it

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=int(descriptor)) as server:
        while True:
            connection, _ = server.accept()
            if os.fork() == 0:
                become_kernel(connection)
            connection.close()


def become_kernel(connection: socket.socket) -> None:
    from ipykernel.kernelapp import IPKernelApp

    message, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    wish = json.loads(message)
    for own, given in enumerate(descriptors):
        os.dup2(given, own)
    os.setsid()
    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    threading.Thread(target=_obey, args=(connection,), daemon=True).start()
    # Its parent is not the process that Jupyter started: 1 is nobody to look for.
    IPKernelApp.launch_instance([*wish["arguments"], "--IPKernelApp.parent_handle=1"])
    os._exit(0)


def _obey(connection: socket.socket) -> None:
    """Interrupt the kernel when the process that stands for it is interrupted; end with it."""
    while connection.recv(1):
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(1)


def start(address: str, *arguments: str) -> None:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        surroundings = {"folder": os.getcwd(), "environment": dict(os.environ)}
        wish = json.dumps(surroundings | {"arguments": arguments})
        socket.send_fds(connection, [wish.encode()], [0, 1, 2])
        signal.signal(signal.SIGINT, lambda *_: connection.send(b"!"))
        connection.recv(1)


if __name__ == "__main__":
    {"serve": serve, "start": start}[sys.argv[1]](*sys.argv[2:])
