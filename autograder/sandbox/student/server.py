"""The untrusted side: a process that forks once for each submission.

It imports what every submission needs before it forks, since an import of torch takes seconds and
a fork milliseconds. It holds no test, no solution and no expected answer. A fork confines itself,
runs the student's cells, and only then receives the inputs to probe with. The trusted side treats
what the fork returns as data, and believes none of it.

Nothing in a fork can defend itself against the student's code, which runs in the same process. The
sandbox and the judge guarantee what must hold whatever that code does.
"""

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import site
import socket
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from . import huge_pages
from .confinement.confine import Confinement, enter
from .confinement.processes import adopt_orphans, close_all, end
from .imports import PACKAGE, CourseFinder, QuietPackage


def main(control_descriptor: str) -> None:
    """Serve the trusted side: fork, and end what was forked, when it requests so.

    `control_descriptor` is the number of the socket that receives the requests.
    """
    control = socket.socket(fileno=int(control_descriptor))
    with control.makefile("rb", buffering=0) as lines:  # reads no further line
        server = Server(control, json.loads(lines.readline()))
    server.begin()
    os._exit(0)  # at once: the grader waits for it


def _receive(control: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """One line of JSON from the trusted side, and the file descriptors sent with it."""
    text, descriptors = b"", list[int]()
    while not text.endswith(b"\n"):
        part, more, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not part:
            return None, descriptors
        text += part
        descriptors += more
    return json.loads(text), descriptors


def _reply(control: socket.socket, **reply: object) -> None:
    control.sendall(json.dumps(reply).encode() + b"\n")


class Server:
    """The process that forks students' processes, or servers: then it is their zygote.

    It has one thread, and never runs a student's code.
    """

    def __init__(self, control: socket.socket, settings: dict[str, Any]):
        self.control = control
        # A fork blocks SIGTERM until it can end its own children.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        self.processor = settings["processor"]
        os.environ.update(settings["home"] | self.processor)
        sys.path += settings["folders"]
        for name in (site.setquit, site.setcopyright, site.sethelper):  # as in notebooks: `exit`
            name()
        adopt_orphans()
        self.finder = CourseFinder(settings["course"])
        with _ready_to_fork():
            _import_ahead(self.finder)

    def begin(self) -> None:
        """Become what the first request names: a server, a process for analyses, or a zygote.

        A zygote forks a process for each request, and that process begins in the same way.
        """
        while True:
            request, descriptors = _receive(self.control)
            if request is None:
                return
            if request["do"] == "serve":
                _reply(self.control, pid=os.getpid())
                self.serve(Confinement.from_json(request["confinement"]))
                return
            if request["do"] == "analyse":
                self._analyse(request["path"], request["environment"], request["memory"])
                return
            signal.signal(signal.SIGCHLD, _reap)
            if os.fork() == 0:
                self._become_server(*descriptors)
            else:
                close_all(descriptors)

    def _become_server(self, control: int, stderr: int) -> None:
        """In the fork: take requests from another socket."""
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        self.control.close()
        self.control = socket.socket(fileno=control)
        os.dup2(stderr, 2)
        os.close(stderr)
        adopt_orphans()

    def _analyse(self, path: list[str], environment: dict[str, str], memory: int) -> None:
        """Carry out calls of the grader's own functions; nothing of a student's ever runs here."""
        os.environ.update(environment)
        sys.meta_path.remove(self.finder)
        quiet = [name for name in sys.modules if name.partition(".")[0] == PACKAGE]
        for name in quiet:
            del sys.modules[name]
        sys.path[:] = path
        analysis = importlib.import_module("autograder.sandbox.analysis_process")
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        analysis.serve(self.control, memory)

    def serve(self, confinement: Confinement) -> None:
        """Carry out requests until the trusted side closes the socket."""
        self.confinement, child = confinement, 0  # none
        while True:
            request, descriptors = _receive(self.control)
            if request is None:
                if child:
                    self._end(child)
                return
            if request["do"] == "fork":
                child = os.fork()
                if child == 0:
                    self._become_student(descriptors, request["folder"])
                close_all(descriptors)
                _reply(self.control, pid=child)
            elif request["do"] == "import":
                with _ready_to_fork():
                    for name in request["names"]:
                        importlib.import_module(name)
                _reply(self.control, done=True)
            elif request["do"] == "end":
                _reply(self.control, code=self._end(child, request["grace"]))
                child = 0

    def _end(self, child: int, grace: float = 0.0) -> int | None:
        return end(child, self.confinement.kind, grace)

    def _become_student(self, descriptors: list[int], folder: str) -> None:
        """In the fork: confine this process, run one submission, and exit."""
        code = 1
        try:
            # Not at the top of the file: they need what `_import_ahead` prepares.
            from . import frames, submission_run

            channel, output = descriptors
            null = os.open(os.devnull, os.O_RDWR)
            for old, new in ((null, 0), (output, 1), (output, 2), (channel, frames.CHANNEL)):
                os.dup2(old, new)
            os.closerange(frames.CHANNEL + 1, 1 << 16)
            try:
                if folder:
                    os.chdir(folder)
                enter(self.confinement, keep=(1, 2, frames.CHANNEL))
            except OSError as error:
                frames.send({"event": "broken", "message": str(error.strerror or error)})
                return
            _reset_process(self.processor)
            submission_run.seed()
            # No import leads a student's code to this package.
            for name in [name for name in sys.modules if name.partition(".")[0] == __package__]:
                del sys.modules[name]
            frames.send({"event": "ready"})
            submission_run.SubmissionRun(
                self.finder, submission_run.unpack(frames.read_frame())
            ).run()
            code = 0
        finally:
            os._exit(code)


def _reap(*_: object) -> None:
    """Forget the forked servers that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


@contextlib.contextmanager
def _ready_to_fork() -> Iterator[None]:
    """What is imported in this context is made cheap to fork.

    Nothing in it computes gradients: that may start threads, which a fork must not inherit.
    """
    gc.disable()  # none of what imports make is garbage
    yield
    # Exclude what is alive now from garbage collection, which would copy its memory in every fork.
    gc.collect()
    gc.freeze()
    gc.enable()
    huge_pages.move()


def _import_ahead(finder: CourseFinder) -> None:
    """Import what all submissions need, so that none of them waits for it."""
    import torch
    import torch.fx.experimental.symbolic_shapes  # the first call of torch.autograd.grad imports it

    torch.set_num_threads(1)
    # The system call filter refuses epoll.
    selectors.DefaultSelector = selectors.PollSelector  # type: ignore[assignment, misc]
    sys.meta_path.insert(0, finder)
    package = sys.modules[PACKAGE] = QuietPackage(finder.folder)
    with finder.opened():
        from . import submission_run
    vars(package).pop("shared")
    forbidden_calls = submission_run.forbidden_calls
    finder.not_written = forbidden_calls.WriteThisYourself
    submission_run.transform("warm = up\n")
    submission_run.seed()  # numpy imports its random numbers when they are first used
    # It caches what it looks up in torch. What these masks are called there imports the compiler.
    masks = "torch.nn.Transformer.generate_square_subsequent_mask"
    with forbidden_calls.forbidden(forbidden_calls.EQUIVALENT_CALLS.keys() - {masks}):
        pass


def _reset_process(processor: dict[str, str]) -> None:
    """Reset what a fork inherits and code can see, so that all submissions start the same.

    `processor` are environment variables that limit instruction sets; torch reads them late.
    """
    folder = os.getcwd()
    os.environ.clear()
    os.environ.update(
        processor,
        HOME=folder,
        TMPDIR=folder,
        MPLCONFIGDIR=folder,
        USER="student",
        PATH="/usr/local/bin:/usr/bin:/bin",
        LANG="C.UTF-8",
        OMP_NUM_THREADS="1",
        OMP_THREAD_LIMIT="1",
        MPLBACKEND="Agg",
    )
    tempfile.tempdir = None  # computed again from the environment
    sys.argv = [""]
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = os.fdopen(
            number, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
