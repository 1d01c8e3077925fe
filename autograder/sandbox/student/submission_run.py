"""One submission in its forked process: runs the cells, then probes what they defined."""

import __future__

import ast
import asyncio
import contextlib
import functools
import importlib
import inspect
import linecache
import math
import operator
import os
import random
import select
import signal
import sys
import time
import types
from pathlib import Path
from typing import Any

import numpy as np
import torch
from IPython.core.inputtransformer2 import TransformerManager

from transformer_workbook.shared import evidence, forbidden_calls, obligations, probing
from transformer_workbook.shared.packing import unpack

from .confinement.processes import exit_code
from .frames import read_frame, send
from .imports import PACKAGE, CourseFinder, Quiet, QuietPackage, lesson_of_stand_ins, stand_ins_of

SECONDS = 4.0  # that one call may compute: right answers take a tenth of one, `Limits.step` is 10
FUTURE = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)
transform = TransformerManager().transform_cell  # IPython's syntax into Python's


class SubmissionRun:
    """A student's cells, the namespace they fill, and the probes of what is in it.

    `job` is what `Runner` sends for a submission: `lesson`, `cells`, `stand_ins`, `sources`,
    `double`, `seed`, `files` (as tensors of bytes), what is `forbidden` to any component, and the
    name of the module of `probes`.
    """

    def __init__(self, finder: CourseFinder, job: dict[str, Any]):
        self.finder = finder
        self.lesson, self.cells = job["lesson"], job["cells"]
        self.stand_ins, self.probes_name = job["stand_ins"], job["probes"]
        self.dtype = torch.float64 if job["double"] else torch.float32
        obligations.SECOND_SEED = job["seed"]
        # By answer cell: the names it bound with their values (two answers may bind the same
        # name), and the failure of a cell that failed.
        self.bound: dict[str, dict[str, Any]] = {}
        self.failed: dict[str, evidence.Failure] = {}
        self.future = 0  # compiler flags of what cells have imported from __future__
        for name, content in job["files"].items():
            Path(name).write_bytes(content.numpy())
        finder.stand_ins = dict(job["sources"])
        self.forbidden = job["forbidden"]
        self.namespace = self._new_namespace()
        package = sys.modules[PACKAGE]
        assert isinstance(package, QuietPackage)
        package.serve(self.stand_in)

    def _new_namespace(self) -> dict[str, Any]:
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
        main.__dict__["get_ipython"] = lambda: magics
        return main.__dict__

    def run(self) -> None:
        """Run the cells, then carry out plans until the trusted side closes the channel."""
        torch.set_default_dtype(self.dtype)
        self.probes = self._import_probes()
        for cell in self.cells:
            failure = self._run_cell(cell)
            tree = failure and vars(failure)
            send({"event": "cell", "index": cell["index"], "failure": tree})
        # Import stand-ins once for all plans. If one fails, the plan that needs it reports that.
        with contextlib.suppress(Exception):
            for name in self.finder.stand_ins:
                importlib.import_module(stand_ins_of(name))
        # A thread that a cell has started may still run here. It must not compute what is forbidden
        # and pass the result to a component that is probed in a fork.
        self.refusing = forbidden_calls.forbidden(self.forbidden)
        self.refused_here = self.refusing.__enter__()
        while frame := read_frame():
            self._fork_for_plan(frame)

    def _import_probes(self) -> types.ModuleType | Exception:
        """The lesson's probes, for all plans; or the error, which each plan will report."""
        try:
            with self.finder.opened():
                return importlib.import_module(f"{PACKAGE}.{self.probes_name}")
        except Exception as error:
            return error
        finally:  # so that the student's cells find quiet modules in their place, or none
            for module in [name for name in sys.modules if _is_course_module(name)]:
                del sys.modules[module]
                vars(sys.modules[PACKAGE]).pop(module.split(".")[1], None)

    def _run_cell(self, cell: dict[str, Any]) -> evidence.Failure | None:
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
        # Not `splitlines`: a form feed does not end a line of Python.
        lines = [line + "\n" for line in text.split("\n")]
        linecache.cache[file] = (len(text), None, lines, file)
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | self.future
        code = compile(text, file, "exec", flags, dont_inherit=True)
        self.future |= code.co_flags & FUTURE  # as in a notebook, where it holds from then on
        coroutine = eval(code, self.namespace)
        if code.co_flags & inspect.CO_COROUTINE:
            asyncio.run(coroutine)

    def _describe(self, error: BaseException) -> evidence.Failure:
        failure = probing.describe(error, self.namespace)
        # A student's exception can return anything as its name; the channel takes text.
        return evidence.Failure(**{key: str(text)[:2000] for key, text in vars(failure).items()})

    def stand_in(self, name: str) -> Any:
        """The stand-in of a component of an earlier lesson. Raises WriteThisYourself for others."""
        lesson = self.stand_ins.get(name)
        if lesson is None or lesson >= self.lesson:
            raise forbidden_calls.WriteThisYourself(name)
        return self._import_stand_in(name, lesson)

    def _import_stand_in(self, name: str, lesson: str) -> Any:
        module = importlib.import_module(stand_ins_of(probing.module_name(lesson)))
        return getattr(module, name)

    def _fork_for_plan(self, frame: bytes) -> None:
        """Carry out one plan in a new process, so that it cannot affect the next.

        A frame has the milliseconds that the plan may take, in 8 bytes, and then the plan.
        """
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
        send({"event": "plan", "code": _wait(pid, seconds)})

    def _carry_out(self, plan: dict[str, Any]) -> None:
        component, defines = plan["component"], plan["defines"]
        # Stand-ins may use what another component must not.
        self.refusing.__exit__(None, None, None)
        torch.set_default_dtype(self.dtype)
        torch.set_grad_enabled(True)
        bound = self.bound.get(component, {})
        if component in self.failed and defines not in bound:
            _send_failure(plan["calls"], self.failed[component])
            return
        if defines in bound:
            self.namespace[defines] = bound[defines]
        try:
            stand_ins = self._stand_ins_for(plan["stand_ins"], plan["sources"])
            if isinstance(self.probes, Exception):
                raise self.probes
            probes = {call["probe"]: getattr(self.probes, call["probe"]) for call in plan["calls"]}
        except BaseException as error:
            _send_failure(plan["calls"], self._describe(error))
            return
        refused = set(self.refused_here)
        with (
            forbidden_calls.forbidden(plan["forbidden"]) as called,
            probing.standing_in(self.namespace, stand_ins),
        ):
            for call in plan["calls"]:
                seed()
                gathered = probing.gather(
                    probes[call["probe"]],
                    self.namespace,
                    defines,
                    call["inputs"],
                    call["watched"],
                    seconds=self._seconds,
                )
                self._send_evidence(call, probing.as_refused(gathered, called))
                refused.update(called)
                called.clear()
        send({"event": "refused", "names": sorted(refused)})

    @property
    def _seconds(self) -> float | None:
        """How long one call may compute, so that its loop is named before a whole plan is stopped.

        What is handed in as files, with probes of its own, has a limit of its own.
        """
        return SECONDS if self.probes_name.endswith(".probes") else None

    def _send_evidence(self, call: dict[str, Any], gathered: evidence.Evidence) -> None:
        try:
            send({"event": "evidence", "id": call["id"], "evidence": gathered.to_tree()})
        except Exception as error:  # some kinds of tensors cannot be packed
            _send_failure([call], self._describe(error))

    def _stand_ins_for(self, names: list[str], sources: dict[str, str]) -> dict[str, Any]:
        """The stand-ins of earlier lessons, and of the components `names` of this one.

        `sources` is the module of this lesson, with the definitions of `names` alone.
        """
        self.finder.stand_ins |= sources
        stand_ins = {
            name: self._import_stand_in(name, lesson)
            for name, lesson in self.stand_ins.items()
            if name in names
            or (lesson < self.lesson and probing.module_name(lesson) in self.finder.stand_ins)
        }
        for module in sources:  # the student's code finds those of earlier lessons alone
            self.finder.stand_ins.pop(module, None)
            folder, _dot, stand_ins_module = stand_ins_of(module).rpartition(".")
            sys.modules.pop(stand_ins_of(module), None)
            if folder in sys.modules:
                vars(sys.modules[folder]).pop(stand_ins_module, None)
        return stand_ins


def _is_course_module(module: str) -> bool:
    """Whether a module of the students' package is no stand-in; students may import stand-ins."""
    return module.startswith(f"{PACKAGE}.") and not lesson_of_stand_ins(module)


def _send_failure(calls: list[dict[str, Any]], failure: evidence.Failure) -> None:
    for call in calls:
        tree = evidence.Evidence(failure=failure).to_tree()
        send({"event": "evidence", "id": call["id"], "evidence": tree})


def _wait(pid: int, seconds: float) -> int | None:
    """The exit code of a child, as `exit_code` gives it; None if it took longer than `seconds`."""
    until, pause = time.monotonic() + seconds, 0.0005
    with contextlib.suppress(AttributeError, OSError):  # Linux; other systems are polled
        ending = os.pidfd_open(pid)
        select.select([ending], [], [], max(seconds, 0))
        os.close(ending)
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


class Magics:
    """Takes IPython's magics and `!` lines, and ignores them; but `%%time` still runs its cell."""

    TRANSPARENT = ("capture", "prun", "time", "timeit")

    def __init__(self, namespace: dict[str, Any]):
        self._namespace = namespace

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        if name in self.TRANSPARENT:
            exec(compile(transform(cell), f"<%%{name}>", "exec"), self._namespace)

    def run_line_magic(self, name: str, line: str, *_: object) -> None:
        if name == "time":
            exec(compile(transform(line), "<%time>", "exec"), self._namespace)

    def getoutput(self, *_: object, **__: object) -> list[str]:
        return []

    def __getattr__(self, name: str) -> Quiet:
        if name.startswith("__"):
            raise AttributeError(name)
        return Quiet()


def seed() -> None:
    """Set the RNG state of Python, NumPy and torch."""
    random.seed(0)
    np.random.seed(0)
    obligations.seed_torch(0)


def _flush() -> None:
    with contextlib.suppress(BaseException):  # the student's code may have replaced it
        sys.stdout.flush()
