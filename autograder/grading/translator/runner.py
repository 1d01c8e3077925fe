"""Runs `process.py`, which translates with a model that was handed in, in a sandbox."""

import contextlib
import json
import os
import selectors
import site
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from autograder.grading.escape import plain
from autograder.grading.texts import text
from autograder.lesson.hand_in import HandIn
from autograder.sandbox.choose import choose
from autograder.sandbox.student.confinement.confine import Confinement
from autograder.sandbox.student.confinement.processes import as_in_a_shell, describe_end
from autograder.sandbox.student.confinement.root import WORK
from autograder.sandbox.view import plan_view
from transformer_workbook.translation.hand_in import LARGEST

TRANSLATOR_MEMORY = 3 << 30  # bytes that the process may take on top of Python and torch
MOST_OUTPUT = 16 << 20  # bytes
PATIENCE = 120.0  # seconds; a busy machine may take long to import torch


class TranslatingFault(Exception):
    """The grader failed, not the student: nothing can be said about what was handed in."""

    @classmethod
    def because(cls, reason: str) -> "TranslatingFault":
        return cls(text("handed_in", "fault", reason=reason))


class OutOfTime(Exception):
    """The process took longer than it may."""


class Died(Exception):
    """A signal ended the process: libraries do not report every lack of memory."""


class TranslatingRunner:
    """Starts a process for each model that is handed in; `seconds` limit its time.

    `sandbox` is auto, namespaces, bwrap or none.
    """

    def __init__(self, hand_in: HandIn, sandbox: str, seconds: float):
        self.hand_in, self.seconds = hand_in, seconds
        self.stopped = False
        self._sandbox = sandbox
        self._running: set[subprocess.Popen] = set()

    def stop(self) -> None:
        """End all processes. What they translate has no result."""
        self.stopped = True
        for process in list(self._running):
            process.terminate()

    def events(self, sentences: list[str], files: dict[str, bytes]) -> Iterator[dict]:
        """What the process reports, see `process.py`. Takes the contents out of `files`.

        Raises TranslatingFault, OutOfTime, Died.
        """
        with contextlib.ExitStack() as stack:
            unconfined = self._kind == "none"
            folder = stack.enter_context(tempfile.TemporaryDirectory()) if unconfined else ""
            stdin = stack.enter_context(tempfile.TemporaryFile())
            stdin.write(json.dumps(self._order(sentences, files, folder)).encode() + b"\n")
            stdin.writelines(files.values())
            files.clear()
            stdin.seek(0)
            stderr = stack.enter_context(tempfile.TemporaryFile())
            # In a sandbox this is the only folder for what torch compiles.
            cache = {} if unconfined else {"TORCHINDUCTOR_CACHE_DIR": f"{WORK}/torch"}
            process = subprocess.Popen(
                [sys.executable, "-P", "-B", "-m", "autograder.grading.translator.process"],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=environment() | cache,
                cwd="/",
                start_new_session=not unconfined,  # without a sandbox, the process begins one
            )
            self._running.add(process)
            if self.stopped:  # meanwhile
                process.terminate()
            try:
                yield from _events(process, self.seconds, stderr)
            finally:
                _end(process)
                self._running.discard(process)

    def _order(self, sentences: list[str], files: dict[str, bytes], folder: str) -> dict:
        options = {
            "beam_size": self.hand_in.beam_size,
            "length_penalty": self.hand_in.length_penalty,
        }
        return {
            "files": [[name, len(content)] for name, content in files.items()],
            "folder": folder,
            "confinement": self._confinement.to_json(),
            "max_len": self.hand_in.max_len,
            "sentences": sentences,
            "options": options,
        }

    @cached_property
    def _kind(self) -> str:
        return choose(self._sandbox)

    @cached_property
    def _confinement(self) -> Confinement:
        python = [sys.base_prefix, sysconfig.get_path("stdlib"), *site.getsitepackages()]
        return Confinement(
            self._kind,
            view=plan_view(python, [str(Path.home())]),
            memory=TRANSLATOR_MEMORY,
            processes=16,
            file_size=max(LARGEST.values()),
            disk=2 * max(LARGEST.values()),
            cpu=int(self.seconds) + 5,
        )


def environment() -> dict[str, str]:
    """The environment variables of the process."""
    kept = ("HOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV", "PYTHONPATH")
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
    return {
        **{name: os.environ[name] for name in kept if name in os.environ},
        **dict.fromkeys(threads, "1"),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "TOKENIZERS_PARALLELISM": "false",
        "CUDA_VISIBLE_DEVICES": "",
    }


def _events(process: subprocess.Popen, seconds: float, stderr: BinaryIO) -> Iterator[dict]:
    """Each event that the process reports. Its time begins when it reports that it is ready."""
    until, ready, held, received = time.monotonic() + PATIENCE, False, b"", 0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = until - time.monotonic()
            if left <= 0 and ready:
                raise OutOfTime
            if left <= 0:
                raise TranslatingFault.because("it did not begin")
            if not selector.select(left):
                continue
            part = os.read(process.stdout.fileno(), 1 << 16)
            received += len(part)
            if received > MOST_OUTPUT:
                raise TranslatingFault.because("it says too much")
            if not part:
                _raise_for_end(process, ready, stderr)
                return
            *lines, held = (held + part).split(b"\n")
            for line in lines:
                event = _parsed(line)
                if event.get("ready") and not ready:
                    ready, until = True, time.monotonic() + seconds
                yield event


def _parsed(line: bytes) -> dict:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise TranslatingFault.because("what it says is no JSON")
    return event


def _raise_for_end(process: subprocess.Popen, ready: bool, stderr: BinaryIO) -> None:
    """Raise Died or TranslatingFault unless the process has ended with exit code 0."""
    try:
        code = as_in_a_shell(process.wait(5))
    except subprocess.TimeoutExpired:
        return
    if ready and code > 128:
        raise Died(describe_end(code))
    if code:
        stderr.seek(0)
        lines = stderr.read()[-4000:].decode("utf-8", "replace").strip().splitlines()
        reason = lines[-1][:300] if lines else describe_end(code)
        raise TranslatingFault.because(plain(reason))


def _end(process: subprocess.Popen) -> None:
    """End the process, and with it its sandbox."""
    process.stdout.close()
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5)
    if process.poll() is None:
        process.kill()
    process.wait()
