"""The untrusted side: runs a student's cells, then probes what they defined.

Started through `start.py`, this process imports what every submission needs, and then forks
once for each submission (an import of torch takes seconds, a fork milliseconds). It holds no
test, no solution and no expected answer. A fork confines itself, runs the cells, and only then is
given the inputs to probe with. What it sends back is data: the trusted side believes none of it.

Nothing here can defend itself against the student's code, which runs in the same process. What
has to hold whatever that code does is seen to elsewhere: by the sandbox, and by the judge.
"""

import ast
import asyncio
import contextlib
import gc
import importlib
import importlib.abc
import importlib.util
import inspect
import json
import linecache
import os
import random
import select
import signal
import site
import socket
import sys
import tempfile
import time
import types

from . import huge_pages
from .confine import Confinement, enter
from .processes import adopt_orphans, end, exit_code

PACKAGE = "transformer_workbook"
CHANNEL = 3  # the file descriptor over which a student's process is talked with


def main(control_descriptor: str) -> None:
    """Serve the trusted side: fork on its order, and end what was forked on its order."""
    control = socket.socket(fileno=int(control_descriptor))
    settings, _ = _receive(control)
    server = Server(control, settings)
    _answer(control, ready=True)
    server.serve()


def _receive(control) -> tuple[dict | None, list[int]]:
    """One line of JSON from the trusted side, and the file descriptors that came with it."""
    text, descriptors = b"", []
    while not text.endswith(b"\n"):
        part, more, _, _ = socket.recv_fds(control, 1 << 16, 2)
        if not part:
            return None, descriptors
        text += part
        descriptors += more
    return json.loads(text), descriptors


def _answer(control, **answer) -> None:
    control.sendall(json.dumps(answer).encode() + b"\n")


class Server:
    """The process that forks: clean, with one thread, and with no student's code ever in it."""

    def __init__(self, control, settings: dict):
        self.control = control
        # A fork must not be ended before it can see to the end of its own children.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        self.processor = settings["processor"]
        os.environ.update(settings["home"] | self.processor)
        sys.path += settings["folders"]
        site.setquit()  # `exit` is there in notebooks
        adopt_orphans()
        self.confinement = Confinement.from_json(settings["confinement"])
        self.doorkeeper = Doorkeeper(settings["course"])
        _import_ahead(self.doorkeeper)

    def serve(self) -> None:
        child = None
        while True:
            order, descriptors = _receive(self.control)
            if order is None:  # the trusted side is gone
                if child:
                    self._end(child)
                return
            if order["do"] == "fork":
                child = os.fork()
                if child == 0:
                    self._become_student(descriptors, order["folder"])
                for descriptor in descriptors:
                    os.close(descriptor)
                _answer(self.control, pid=child)
            elif order["do"] == "end":
                _answer(self.control, code=self._end(child, order["grace"]))
                child = None

    def _end(self, child: int, grace: float = 0.0) -> int | None:
        return end(child, self.confinement.kind, grace)

    def _become_student(self, descriptors: list[int], folder: str) -> None:
        """In the fork, and for the rest of its life: confine itself, then do as it is told."""
        code = 1
        try:
            channel, output = descriptors
            null = os.open(os.devnull, os.O_RDWR)
            for old, new in ((null, 0), (output, 1), (output, 2), (channel, CHANNEL)):
                os.dup2(old, new)
            os.closerange(CHANNEL + 1, 1 << 16)
            try:
                if folder:
                    os.chdir(folder)
                enter(self.confinement, keep=(1, 2, CHANNEL))
            except OSError as error:
                _send({"event": "broken", "message": str(error.strerror or error)})
                return
            _start_afresh(self.processor)
            _send({"event": "ready"})
            Submission(self.doorkeeper, unpack(_read_frame())).live()
            code = 0
        finally:
            os._exit(code)


def _import_ahead(doorkeeper: "Doorkeeper") -> None:
    """Import what submissions need, so that none of them waits for it.

    No computation with gradients here: a fork must not inherit the threads that it may start.
    """
    global np, torch, transform, evidence, fence, probing, pack, unpack
    import matplotlib
    import numpy as np
    import torch
    import torch._dynamo  # the first optimizer imports it, which takes half a second

    torch.set_num_threads(1)
    matplotlib.use("Agg")
    import matplotlib.pyplot
    from IPython.core.inputtransformer2 import TransformerManager

    transform = TransformerManager().transform_cell
    transform("warm = up\n")
    sys.meta_path.insert(0, doorkeeper)
    package = sys.modules[PACKAGE] = QuietPackage(doorkeeper.folder)
    with doorkeeper.opened():
        packing = importlib.import_module(f"{PACKAGE}.shared.packing")
        evidence = importlib.import_module(f"{PACKAGE}.shared.evidence")
        fence = importlib.import_module(f"{PACKAGE}.shared.fence")
        probing = importlib.import_module(f"{PACKAGE}.shared.probing")
    vars(package).pop("shared")
    pack, unpack = packing.pack, packing.unpack
    with fence.forbidden(fence.WAYS):  # what it looks for in torch, it keeps
        pass
    # What is alive now stays: looking through it again would copy its memory in every fork.
    gc.collect()
    gc.freeze()
    huge_pages.move()


def _start_afresh(processor: dict[str, str]) -> None:
    """Let nothing of the process that was forked show, so that all submissions start alike.

    `processor` are the variables that hold instruction sets down, which torch reads late.
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
    tempfile.tempdir = None  # found anew where it is asked for
    sys.argv = [""]
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    for name, number in (("stdout", 1), ("stderr", 2)):
        stream = os.fdopen(
            number, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    _seed()


def _flush() -> None:
    with contextlib.suppress(BaseException):  # it may be anything by now
        sys.stdout.flush()


def _seed() -> None:
    random.seed(0)
    np.random.seed(0)
    torch.manual_seed(0)


# Talking with the trusted side: frames of a length and packed data.


def _send(tree) -> None:
    body = pack(tree)
    left = memoryview(len(body).to_bytes(8, "little") + body)
    while left:
        left = left[os.write(CHANNEL, left) :]


def _read_frame() -> bytes:
    """One frame as it came; empty when the trusted side has no more to say."""
    size = int.from_bytes(_read_exactly(8), "little")
    return _read_exactly(size)


def _read_exactly(size: int) -> bytes:
    parts = []
    while size:
        part = os.read(CHANNEL, min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


# What `import transformer_workbook` finds here.


class Quiet:
    """Answers every use with itself: pictures, hints and checks are for the notebook alone."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args, **kwargs):
        # So that what it decorates stays what it was.
        if (
            len(args) == 1
            and not kwargs
            and (inspect.isroutine(args[0]) or inspect.isclass(args[0]))
        ):
            return args[0]
        return self

    def __getitem__(self, key):
        return self

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __bool__(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


class QuietPackage(types.ModuleType):
    """The students' package, with nothing in it that a grader needs but `use`."""

    def __init__(self, folder: str):
        super().__init__(PACKAGE)
        self.__path__ = [folder]
        self.submission = None

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return Quiet()

    def use(self, *names: str, **_):
        """The stand-ins of components of earlier lessons."""
        found = tuple(self.submission.stand_in(name) for name in names)
        return found[0] if len(found) == 1 else found

    def working(self, name: str):
        """The student's own component where there is one: the demonstrations call it."""
        return self.submission.namespace.get(name, Quiet())


class Doorkeeper(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Decides what an import finds of the course's own packages.

    Stand-ins are made from the sources given to it, never from files: in the sandbox there are
    none. All other modules of the students' package are quiet, but while it is `opened`.
    """

    CLOSED = ("autograder", "transformer")

    def __init__(self, course: str):
        self.folder = os.path.join(course, PACKAGE)
        self.stand_ins: dict[str, str] = {}
        self._open = False
        self._quiet: list[str] = []
        self.let_in: list[str] = []  # what was looked for while it was opened the last time

    @contextlib.contextmanager
    def opened(self):
        self.let_in = []
        while self._quiet:
            sys.modules.pop(self._quiet.pop(), None)
        self._open = True
        try:
            yield
        finally:
            self._open = False

    def find_spec(self, name, path=None, target=None):
        top, _, rest = name.partition(".")
        if top in self.CLOSED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if top != PACKAGE:
            return None
        first, _, module = rest.partition(".")
        if first == "standins":
            if (module or "__init__") not in self.stand_ins:
                raise fence.WriteThisYourself(name)
            return importlib.util.spec_from_loader(name, self, is_package=not module)
        if self._open:
            self.let_in.append(name)
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        rest = module.__name__.removeprefix(f"{PACKAGE}.")
        first, _, name = rest.partition(".")
        if first == "standins":
            file = f"<stand-ins {name}>"
            exec(compile(self.stand_ins[name or "__init__"], file, "exec"), vars(module))
        else:
            module.__getattr__ = _quiet_attribute
            self._quiet.append(module.__name__)


def _quiet_attribute(name: str):
    if name.startswith("__"):
        raise AttributeError(name)
    return Quiet()


class Magics:
    """What IPython's magics and ! lines become: nothing, but that `%%time` still runs its cell."""

    TRANSPARENT = ("capture", "prun", "time", "timeit")

    def __init__(self, namespace: dict):
        self._namespace = namespace

    def run_cell_magic(self, name: str, line: str, cell: str):
        if name in self.TRANSPARENT:
            exec(compile(transform(cell), f"<%%{name}>", "exec"), self._namespace)

    def run_line_magic(self, name: str, line: str, *_):
        if name == "time":
            exec(compile(transform(line), "<%time>", "exec"), self._namespace)

    def getoutput(self, *_, **__):
        return []

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return Quiet()


# A submission.


class Submission:
    """One student's cells, the namespace they make, and the probes of what is in it."""

    def __init__(self, doorkeeper: Doorkeeper, work: dict):
        self.doorkeeper = doorkeeper
        self.lesson, self.cells = work["lesson"], work["cells"]
        self.stand_ins = work["stand_ins"]
        self.dtype = torch.float64 if work["double"] else torch.float32
        # The names that each answer cell bound, with their values: two answers may use one name.
        self.bound: dict[str, dict] = {}
        self.failed: dict[str, object] = {}
        doorkeeper.stand_ins = dict(work["sources"])
        sys.modules[PACKAGE].submission = self
        self.namespace = self._new_namespace()

    def _new_namespace(self) -> dict:
        import math

        main = sys.modules["__main__"] = types.ModuleType("__main__")
        main.__dict__.update(
            math=math,
            torch=torch,
            nn=torch.nn,
            F=torch.nn.functional,
            np=np,
            wb=sys.modules[PACKAGE],
            display=lambda *_, **__: None,
            __builtins__=__builtins__,
        )
        magics = Magics(main.__dict__)
        main.get_ipython = lambda: magics
        return main.__dict__

    def live(self) -> None:
        torch.set_default_dtype(self.dtype)
        self.probes = self._import_probes()
        for cell in self.cells:
            failure = self._run_cell(cell)
            told = failure and vars(failure)
            _send({"event": "cell", "index": cell["index"], "failure": told})
        # Once for all plans. Where one cannot be imported, the plan that needs it says so.
        with contextlib.suppress(Exception):
            for name in self.doorkeeper.stand_ins:
                importlib.import_module(f"{PACKAGE}.standins.{name}")
        while frame := _read_frame():
            self._fork_for_plan(frame)

    def _import_probes(self):
        """The lesson's probes, for all plans at once; or the error that each plan will tell of."""
        name = f"{PACKAGE}.probes.{probing.module_name(self.lesson)}"
        try:
            with self.doorkeeper.opened():
                return importlib.import_module(name)
        except Exception as error:
            return error
        finally:  # to the student's cells, these are quiet as all else of the package is
            for known in self.doorkeeper.let_in:
                sys.modules.pop(known, None)
                vars(sys.modules[PACKAGE]).pop(known.split(".")[1], None)

    # Cells.

    def _run_cell(self, cell: dict):
        """Run one cell; its failure, or None."""
        before, failure = dict(self.namespace), None
        try:
            self._execute(cell["source"], f"<cell {cell['name']}>")
        except BaseException as error:  # sys.exit() ends a cell, not the submission
            failure = self._describe(error)
        _flush()
        changed = {
            name: value
            for name, value in self.namespace.items()
            if name not in before or before[name] is not value
        }
        if cell["kind"] == "answer":
            self.bound[cell["name"]] = changed
            if failure:
                self.failed[cell["name"]] = failure
        else:
            for bound in self.bound.values():
                bound.update((name, changed[name]) for name in bound.keys() & changed.keys())
        return failure

    def _execute(self, source: str, file: str) -> None:
        text = transform(source)
        while file in linecache.cache:  # two cells of one name
            file += "'"
        # A form feed ends no line of Python's, though one for `splitlines`.
        lines = [line + "\n" for line in text.split("\n")]
        linecache.cache[file] = (len(text), None, lines, file)
        code = compile(text, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        waiting = eval(code, self.namespace)
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(waiting)

    def _describe(self, error: BaseException):
        failure = probing.describe(error, self.namespace)
        # An exception can be made to lie about its name; only text goes over the channel.
        return evidence.Failure(**{key: str(text)[:2000] for key, text in vars(failure).items()})

    def stand_in(self, name: str):
        """The stand-in of a component of an earlier lesson; only these have sources here."""
        lesson = self.stand_ins.get(name)
        if lesson is None or lesson >= self.lesson:
            raise fence.WriteThisYourself(name)
        return self._import_stand_in(name, lesson)

    def _import_stand_in(self, name: str, lesson: str):
        module = importlib.import_module(f"{PACKAGE}.standins.{probing.module_name(lesson)}")
        return getattr(module, name)

    # Plans.

    def _fork_for_plan(self, frame: bytes) -> None:
        """Carry out one plan in a process of its own: nothing it breaks matters to the next."""
        seconds = int.from_bytes(frame[:8], "little") / 1000
        _flush()
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.setpgid(0, 0)
                self._carry_out(unpack(frame[8:]))
                _flush()
                code = 0
            finally:
                os._exit(code)
        _send({"event": "plan", "code": _wait(pid, seconds)})

    def _carry_out(self, plan: dict) -> None:
        component, defines = plan["component"], plan["defines"]
        torch.set_default_dtype(self.dtype)
        torch.set_grad_enabled(True)
        bound = self.bound.get(component, {})
        if component in self.failed and defines not in bound:
            told = evidence.Evidence(failure=self.failed[component])
            for call in plan["calls"]:
                _send({"event": "evidence", "id": call["id"], "evidence": told.to_tree()})
            return
        if defines in bound:
            self.namespace[defines] = bound[defines]
        try:
            stand_ins = self._stand_ins_for(defines, plan["sources"])
            if isinstance(self.probes, Exception):
                raise self.probes
            probes = {call["probe"]: getattr(self.probes, call["probe"]) for call in plan["calls"]}
        except BaseException as error:
            told = evidence.Evidence(failure=self._describe(error))
            for call in plan["calls"]:
                _send({"event": "evidence", "id": call["id"], "evidence": told.to_tree()})
            return
        refused = set()
        with (
            fence.forbidden(plan["forbidden"]) as called,
            probing.standing_in(self.namespace, stand_ins),
        ):
            for call in plan["calls"]:
                _seed()
                found = probing.gather(
                    probes[call["probe"]], self.namespace, defines, call["inputs"]
                )
                self._send_evidence(call["id"], probing.as_refused(found, called))
                refused.update(called)
                called.clear()
        _send({"event": "refused", "names": sorted(refused)})

    def _send_evidence(self, call: str, found) -> None:
        try:
            _send({"event": "evidence", "id": call, "evidence": found.to_tree()})
        except Exception as error:  # torch has tensors that are not written as others are
            told = evidence.Evidence(failure=self._describe(error))
            _send({"event": "evidence", "id": call, "evidence": told.to_tree()})

    def _stand_ins_for(self, probed: str, sources: dict[str, str]) -> dict:
        """The stand-ins of all components but the probed one, as far as the course has them."""
        self.doorkeeper.stand_ins |= sources
        found = {}
        for name, lesson in self.stand_ins.items():
            if name != probed and probing.module_name(lesson) in self.doorkeeper.stand_ins:
                found[name] = self._import_stand_in(name, lesson)
        # The module of this lesson came with the probed component's own stand-in: others may
        # need the module, but nobody is to find it, or that stand-in in it.
        own = probing.module_name(self.lesson)
        self.doorkeeper.stand_ins.pop(own, None)
        module = sys.modules.pop(f"{PACKAGE}.standins.{own}", None)
        if module:
            vars(module).pop(probed, None)
            vars(sys.modules[f"{PACKAGE}.standins"]).pop(own, None)
        return found


def _wait(pid: int, seconds: float) -> int | None:
    """The exit code of a child, 128 and the number for a signal; None if its time ran out."""
    until, pause = time.monotonic() + seconds, 0.0005
    with contextlib.suppress(AttributeError, OSError):  # Linux tells at once; others are asked
        told = os.pidfd_open(pid)
        select.select([told], [], [], max(seconds, 0))
        os.close(told)
    while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
        if time.monotonic() > until:
            break
        time.sleep(pause)
        pause = min(pause * 1.2, 0.01)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)  # and what it started
    if not ended[0]:
        os.waitpid(pid, 0)
        return None
    return exit_code(ended[1])
