"""The process beside the grader that carries out the calls of `bounded_call`."""

import contextlib
import importlib
import os
import signal
import socket
from pathlib import Path
from typing import Any

import torch

from transformer_workbook.shared.packing import pack, unpack

from .student.frames import read_exactly


def serve(control: socket.socket, memory: int) -> None:
    """Carry out calls until the grader closes the socket.

    `memory` is how many bytes they may use on top of what this process uses now.
    """
    torch.set_num_threads(1)
    _limit_memory(memory)
    _send(control, pack([os.getpid()]))
    while head := read_exactly(16, control.recv):
        size, milliseconds = (int.from_bytes(part, "little") for part in (head[:8], head[8:]))
        # It ends itself, too: the grader may be gone.
        signal.setitimer(signal.ITIMER_REAL, milliseconds / 1000 + 1)
        reply = _reply_to(read_exactly(size, control.recv))
        signal.setitimer(signal.ITIMER_REAL, 0)
        _send(control, reply)


def _reply_to(content: bytes) -> bytes:
    try:
        call: dict[str, Any] = unpack(content)
        function = getattr(importlib.import_module(call["module"]), call["function"])
        return pack({"result": function(**call["arguments"])})
    except Exception as error:
        return pack({"error": f"{type(error).__name__}: {error}"[:500]})


def _limit_memory(memory: int) -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _send(control: socket.socket, content: bytes) -> None:
    control.sendall(len(content).to_bytes(8, "little") + content)
