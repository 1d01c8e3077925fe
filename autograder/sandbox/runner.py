"""The trusted side of running a submission: what goes in, what may come back, and for how long.

`Runner.run` runs a student's cells and probes what they defined, in a process that holds no test
and no solution (`student/process.py`) and is sandboxed (`student/confine.py`). Each probe call gets
evidence: what it returned, or how the student's code failed. A fault of the grader itself is raised
as RunnerFault, and is never evidence.
"""

import ast
import contextlib
import importlib.util
import json
import os
import queue
import selectors
import shutil
import site
import socket
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import transformer_workbook
from autograder.sandbox.student.confine import Confinement, SandboxUnavailable
from transformer_workbook.shared import packing as data
from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.fence import ways
from transformer_workbook.shared.packing import BadData
from transformer_workbook.shared.probing import module_name

from . import cgroup as memory_group
from .cgroup import MemoryGroup
from .student import confine as sandboxes

__all__ = [
    "Cell",
    "Limits",
    "Outcome",
    "Plan",
    "ProbeCall",
    "Runner",
    "RunnerFault",
    "RunnerPool",
    "SandboxUnavailable",
    "Work",
]  # fmt: skip


class RunnerFault(Exception):
    """The grader failed, not the student: nothing can be said about the submission."""


@dataclass(frozen=True)
class Cell:
    """One cell to run. `kind` is "setup" (the release's), "answer", or "added" (the student's)."""

    name: str
    kind: str
    source: str


@dataclass(frozen=True)
class ProbeCall:
    """One call of one probe: `inputs` are tensors and plain values, `id` names its evidence."""

    id: str
    probe: str
    inputs: dict


@dataclass(frozen=True)
class Plan:
    """The calls that probe one component: answer cell `component` defines the name `defines`.

    `forbidden` are the dotted names of what it must not call.
    """

    component: str
    defines: str
    calls: list[ProbeCall]
    forbidden: Sequence[str] = ()


@dataclass(frozen=True)
class Work:
    """All there is to do for one submission.

    `stand_ins` gives the lesson of each component of this and earlier lessons. With `double`,
    all is computed in float64.
    """

    lesson: str
    cells: list[Cell]
    plans: list[Plan]
    stand_ins: dict[str, str]
    double: bool = False


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Sizes are in bytes.

    `seconds` is for all of it. `step` is the most that one cell or one plan may take, so that an
    endless one leaves time for the others; by default ten seconds, or a sixth of a long limit.
    `memory` is what it may take in addition to Python and torch. `output` is how much of the
    end of what it printed is kept, in characters; `evidence` how much evidence it may send.
    """

    seconds: float = 60
    step: float | None = None
    memory: int = 2 << 30
    processes: int = 64
    file_size: int = 64 << 20
    disk: int = 128 << 20
    output: int = 20_000
    evidence: int = 64 << 20

    def share(self, left: float) -> float:
        """The seconds that the next step may take, `left` being what is left for all steps."""
        return min(self.step or max(10.0, self.seconds / 6), left / 4)


@dataclass
class Outcome:
    """What came of one submission.

    `evidence` has an entry for each probe call, `cells` the failure of each cell that failed,
    `refused` what a component called and was refused, `output` the end of what was printed.
    """

    evidence: dict[str, Evidence] = field(default_factory=dict)
    cells: dict[str, Failure] = field(default_factory=dict)
    refused: dict[str, list[str]] = field(default_factory=dict)
    output: str = ""
    seconds: float = 0.0
    sandbox: str = ""


class Runner:
    """Runs submissions, one after the other. Use it as a context manager, or `close` it.

    `sandbox` is "auto", "namespaces", "bwrap" or "none"; `course` the folder that holds the
    students' package; `hidden` names more files and folders that no student's code may see.
    Raises SandboxUnavailable.
    """

    def __init__(self, sandbox: str = "auto", limits: Limits | None = None, *, course=None,
                 hidden=()):  # fmt: skip
        self.sandbox = sandboxes.choose(sandbox)
        self.limits = limits or Limits()
        self.course = Path(course or Path(transformer_workbook.__path__[0]).parent).resolve()
        self._stand_ins = {
            path.stem: path.read_text(encoding="utf-8")
            for path in self._package.glob("standins/*.py")
        }
        # What is written to the disk within is memory, too.
        self._memory_group = memory_group.make(self.limits.memory + self.limits.disk)
        self._confinement = Confinement(
            self.sandbox,
            view=sandboxes.plan_view(
                [*_folders_of_python(), str(self._package)],
                [*_what_is_secret(), str(self._package / "standins"), *map(str, hidden)],
            ),
            memory=self.limits.memory,
            processes=self.limits.processes,
            file_size=self.limits.file_size,
            disk=self.limits.disk,
            cpu=int(self.limits.seconds) + 5,
            memory_group=str(self._memory_group.folder) if self._memory_group else "",
        )
        self._server = self._new_server()

    @property
    def memory_limit(self) -> str:
        """What limits memory: "group1" or "group2", by the version of control groups, "watch"
        (a limit on each process, and the grader's look at all of them), or "process"."""
        if self._memory_group:
            return f"group{self._memory_group.version}"
        return "watch" if sandboxes.LINUX else "process"

    @property
    def _package(self) -> Path:
        return self.course / "transformer_workbook"

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *exception) -> None:
        self.close()

    def close(self) -> None:
        self._server.close()
        if self._memory_group:
            self._memory_group.close()

    def _new_server(self) -> "_Server":
        return _Server(self._confinement, str(self.course))

    def run(self, work: Work, limits: Limits | None = None) -> Outcome:
        """Run one submission. Raises RunnerFault where the grader fails; see `Outcome`.

        `limits` on its time and its evidence take the place of the runner's own.
        """
        limits = limits or self.limits
        self._check(work)
        progress = _Progress(work, limits.evidence)
        with contextlib.suppress(_ServerDied):  # it will be noticed again
            self._server.wait_until_ready()  # no submission's time
        started = time.monotonic()
        end = started + limits.seconds
        faults = 0
        while progress.is_unfinished() and time.monotonic() < end:
            try:
                self._attempt(progress, limits, end)
            except _ServerDied as error:
                faults += 1
                self._server.close()
                self._server = self._new_server()
                if faults > 1:
                    raise RunnerFault(f"the process that runs cells died twice: {error}") from error
                before = time.monotonic()
                with contextlib.suppress(_ServerDied):
                    self._server.wait_until_ready()
                end += time.monotonic() - before
        progress.give_up(Failure("timeout", message="the time of the whole submission was used up"))
        outcome = progress.outcome
        outcome.seconds = time.monotonic() - started
        outcome.sandbox = self.sandbox
        return outcome

    def _check(self, work: Work) -> None:
        """A plan that cannot be carried out is the grader's fault, whatever the student wrote."""
        ids = [call.id for plan in work.plans for call in plan.calls]
        if len(ids) != len(set(ids)):
            raise RunnerFault("two probe calls have the same id")
        known = _functions_in(self._package / "probes" / f"{module_name(work.lesson)}.py")
        wanted = {call.probe for plan in work.plans for call in plan.calls}
        if wanted - known:
            raise RunnerFault(
                f"lesson {work.lesson} has no probe named {', '.join(sorted(wanted - known))}"
            )

    def _attempt(self, progress: "_Progress", limits: Limits, end: float) -> None:
        """Run cells and plans until all is done, or until one of them ends the process.

        That one is left out of the next attempt.
        """
        with _folder(wanted=self.sandbox == "none") as folder:
            child = self._server.fork(limits, folder, self._memory_group)
            self._see_to(child, progress, limits, end)

    def _see_to(self, child: "_Child", progress: "_Progress", limits: Limits, end: float) -> None:
        try:
            try:
                self._converse(child, progress, limits, end)
                return
            except _OutOfTime:
                failure = Failure("timeout", message="it took too long and was stopped")
            except _OutOfMemory:
                failure = Failure("out_of_memory", message="it took too much memory")
            except _TooManyProcesses:
                failure = Failure("died", message="it started too many processes")
            except BadData as error:
                failure = Failure("died", message=f"what it sent is no evidence: {error}")
            except _Ended:
                failure = None  # how it ended is not known yet
            code = child.close()
            if failure is None and child.was_starved:
                failure = Failure("out_of_memory", message="it took too much memory")
            if failure is None:
                how = "the process was ended" if code is None else sandboxes.describe_end(code)
                failure = Failure("died", message=how)
            progress.blame(failure)
        finally:
            child.close()
            progress.outcome.output = child.output

    def _converse(self, child: "_Child", progress: "_Progress", limits: Limits, end: float) -> None:
        def share():
            return limits.share(end - time.monotonic())

        progress.step = None
        first = child.event(30)
        if first.get("event") != "ready":
            raise RunnerFault(f"the sandbox failed: {str(first.get('message'))[:500]}")
        cells = progress.cells_left()
        child.send(self._tell_of(progress.work, cells))
        for index, _ in cells:
            progress.step = index
            event = child.event(share())
            if event.keys() != {"event", "index", "failure"} or event["index"] != index:
                raise BadData("a cell's report was expected")
            progress.cell_ended(index, _failure_from(event["failure"]))
        for plan in progress.plans_left():
            progress.step = plan
            seconds = share()
            child.send(self._tell_of_plan(plan, progress.work), before=_milliseconds(seconds))
            # The process stops its own plans in time, if it can still be trusted to.
            until = time.monotonic() + seconds + 1
            while True:
                event = child.event(min(until, end) - time.monotonic())
                if event.keys() == {"event", "id", "evidence"}:
                    progress.evidence_came(event["id"], event["evidence"])
                elif event.keys() == {"event", "names"}:
                    progress.refusals_came(event["names"])
                elif event.keys() == {"event", "code"}:
                    if child.was_starved:
                        raise _OutOfMemory
                    progress.plan_ended(event["code"])
                    break
                else:
                    raise BadData("evidence was expected")

    def _tell_of(self, work: Work, cells: list[tuple[int, Cell]]) -> dict:
        earlier = {module_name(le) for le in work.stand_ins.values() if le < work.lesson}
        return {
            "lesson": work.lesson,
            "cells": [{"index": index, **vars(cell)} for index, cell in cells],
            "stand_ins": work.stand_ins,
            "double": work.double,
            "sources": {
                name: source
                for name, source in self._stand_ins.items()
                if name in earlier or name.startswith("_")
            },
        }

    def _tell_of_plan(self, plan: Plan, work: Work) -> dict:
        own = module_name(work.lesson)
        needs_own = any(
            lesson == work.lesson and name != plan.defines
            for name, lesson in work.stand_ins.items()
        )
        return {
            "component": plan.component,
            "defines": plan.defines,
            "calls": [vars(call) for call in plan.calls],
            "forbidden": list(plan.forbidden),
            "sources": {own: self._stand_ins[own]} if needs_own and own in self._stand_ins else {},
        }


@contextlib.contextmanager
def _folder(wanted: bool) -> Iterator[str]:
    """A folder for one submission, gone afterwards; an empty name where none is wanted."""
    folder = tempfile.mkdtemp() if wanted else ""
    try:
        yield folder
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _milliseconds(seconds: float) -> bytes:
    return int(max(seconds, 0) * 1000).to_bytes(8, "little")


def _folders_of_python() -> list[str]:
    """Where this Python and the libraries installed for it lie."""
    return [sys.base_prefix, sysconfig.get_path("stdlib"), *_library_folders()]


def _library_folders() -> list[str]:
    """The folders of installed libraries, without what an editable install adds to the path."""
    folders = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    with contextlib.suppress(AttributeError):
        folders += site.getsitepackages()
    return list(dict.fromkeys(path for path in folders if os.path.isdir(path)))


def _what_is_secret() -> list[str]:
    """The grader, the solutions, the tests, and the home of whoever grades."""
    found = [str(Path.home())]
    for package in ("autograder", "transformer", "nbgrader"):
        spec = importlib.util.find_spec(package)
        found += spec.submodule_search_locations or [] if spec else []
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / "pyproject.toml").exists():
        found.append(str(checkout))
    return found


def _functions_in(file: Path) -> set[str]:
    """The names of the functions that a module has; none where there is no such file."""
    if not file.exists():
        return set()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


class RunnerPool:
    """Runners that several threads share; each is used by one of them at a time."""

    def __init__(self, runners: Sequence[Runner]):
        self._idle: queue.SimpleQueue = queue.SimpleQueue()
        for runner in runners:
            self._idle.put(runner)

    @contextlib.contextmanager
    def runner(self) -> Iterator[Runner]:
        """One that is idle, as soon as there is one."""
        runner = self._idle.get()
        try:
            yield runner
        finally:
            self._idle.put(runner)


class _Progress:
    """What is done of one submission, over all attempts, and what is being done."""

    def __init__(self, work: Work, most: int):
        self.work = work
        self._most, self._kept = most, 0  # bytes of evidence
        self.outcome = Outcome()
        self.step: int | Plan | str | None = None  # a cell's place, a plan, or "done"
        self._cut: set[int] = set()  # cells that end the process
        self._plans = list(work.plans)
        self._waiting: set[str] = set()

    def is_unfinished(self) -> bool:
        return self.step != "done"

    def cells_left(self) -> list[tuple[int, Cell]]:
        return [(i, cell) for i, cell in enumerate(self.work.cells) if i not in self._cut]

    def plans_left(self):
        while self._plans:
            self._waiting = {call.id for call in self._plans[0].calls}
            self._waiting -= self.outcome.evidence.keys()
            yield self._plans[0]
        self.step = "done"

    def cell_ended(self, index: int, failure: Failure | None) -> None:
        name = self.work.cells[index].name
        self.outcome.cells.pop(name, None)
        if failure:
            self.outcome.cells[name] = failure

    def evidence_came(self, call, tree) -> None:
        if not isinstance(call, str) or call not in self._waiting:
            raise BadData("evidence came that nobody asked for")
        evidence = _clean_evidence(Evidence.from_tree(tree))
        self._kept += sum(tensor.nbytes for tensor in evidence.tensors.values())
        if self._kept > self._most:
            raise BadData("there is too much of it")
        self.outcome.evidence[call] = evidence
        self._waiting.remove(call)

    def refusals_came(self, names) -> None:
        if not isinstance(names, list):
            raise BadData("it is no list of names")
        plan = self._plans[0]
        # Whatever the student's code sends, only what this plan refuses is told of.
        told = {name for name in names if isinstance(name, str)}
        known = [name for name in dict.fromkeys(ways(plan.forbidden).values()) if name in told]
        if known:
            self.outcome.refused[plan.component] = known

    def plan_ended(self, code) -> None:
        if code is None:
            self._close_plan(Failure("timeout", message="it took too long and was stopped"))
        elif type(code) is int:
            self._close_plan(Failure("died", message=sandboxes.describe_end(code)))
        else:
            raise BadData("a plan ended in no known way")

    def blame(self, failure: Failure) -> None:
        """Note that the present step ended the process, and leave it out from now on."""
        if self.step is None:
            raise RunnerFault(f"a process for a submission did not start: {failure.message}")
        if isinstance(self.step, Plan):
            self._close_plan(failure)
            if not self._plans:
                self.step = "done"
            return
        cell = self.work.cells[self.step]
        self._cut.add(self.step)
        self.outcome.cells[cell.name] = failure
        if cell.kind == "answer":
            for plan in [plan for plan in self._plans if plan.component == cell.name]:
                self._plans.remove(plan)
                self._fill(plan, failure)

    def give_up(self, failure: Failure) -> None:
        for plan in self._plans:
            self._fill(plan, failure)

    def _close_plan(self, failure: Failure) -> None:
        self._fill(self._plans.pop(0), failure)

    def _fill(self, plan: Plan, failure: Failure) -> None:
        for call in plan.calls:
            self.outcome.evidence.setdefault(call.id, Evidence(failure=failure))


# What comes from the untrusted side.


def _failure_from(tree) -> Failure | None:
    failure = Evidence.from_tree({"tensors": {}, "values": {}, "failure": tree}).failure
    return failure and _clean_failure(failure)


def _clean_evidence(came: Evidence) -> Evidence:
    failure = came.failure and _clean_failure(came.failure)
    return Evidence(came.tensors, {_clean(k): _clean(v) for k, v in came.values.items()}, failure)


def _clean_failure(failure: Failure) -> Failure:
    return Failure(**{
        name: _clean(text)[: LONGEST.get(name, 200)] for name, text in vars(failure).items()
    })  # fmt: skip


LONGEST = {"message": 2000, "line": 500}  # characters


def _clean(value):
    """The same value with no text in it that cannot be written as UTF-8."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list):
        return [_clean(one) for one in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(one) for key, one in value.items()}
    return value


class _Ended(Exception):
    """The student's process is gone."""


class _OutOfTime(Exception):
    """No event came in time."""


class _OutOfMemory(Exception):
    """The student's processes hold too much memory together."""


class _TooManyProcesses(Exception):
    """The student's processes are more than it may have."""


class _ServerDied(Exception):
    """The process that forks is gone, or does not answer."""


HEADER = 1 << 20  # bytes of text that evidence may have besides its tensors
GLANCE = 0.2  # seconds between looks at what is in use


class _Child:
    """The trusted end of the channel to one student's process, and of what it prints."""

    def __init__(self, server: "_Server", pid: int, limits: Limits, channel, output: int,
                 group: MemoryGroup | None):  # fmt: skip
        self._server, self._pid, self._limits = server, pid, limits
        self._group, self._kills = group, group.kills() if group else 0
        self._channel, self._pipe = channel, output
        channel.setblocking(False)
        os.set_blocking(output, False)
        self._in, self._out, self._printed = bytearray(), bytearray(), bytearray()
        self._received = 0
        self._glanced = time.monotonic()
        self._ended = self._closed = False
        self._code: int | None = None
        self._selector = selectors.DefaultSelector()
        self._selector.register(channel, selectors.EVENT_READ)
        self._selector.register(output, selectors.EVENT_READ)

    @property
    def output(self) -> str:
        """The end of what it printed."""
        return self._printed.decode("utf-8", "replace")[-self._limits.output :]

    def send(self, tree, before: bytes = b"") -> None:
        body = before + data.pack(tree)
        self._out += len(body).to_bytes(8, "little") + body
        self._watch_for_writing()

    def event(self, seconds: float) -> dict:
        """The next thing it tells. Raises BadData, _Ended, _OutOfTime or _OutOfMemory."""
        until = time.monotonic() + seconds
        while True:
            frame = self._next_frame()
            if frame is not None:
                return _decode(frame)
            if self._ended:
                raise _Ended
            left = until - time.monotonic()
            if left <= 0:
                raise _OutOfTime
            for key, mask in self._selector.select(min(left, GLANCE)):
                self._attend_to(key.fileobj, mask)
            self._glance()

    def _next_frame(self) -> bytes | None:
        if len(self._in) < 8:
            return None
        size = int.from_bytes(self._in[:8], "little")
        if size > self._limits.evidence:
            raise BadData("it is too large")
        if len(self._in) < 8 + size:
            return None
        frame = bytes(self._in[8 : 8 + size])
        del self._in[: 8 + size]
        return frame

    def _attend_to(self, what, mask: int) -> None:
        if what is self._channel:
            if mask & selectors.EVENT_WRITE:
                self._write()
            if mask & selectors.EVENT_READ:
                self._read()
        else:
            self._read_output()

    def _write(self) -> None:
        try:
            del self._out[: self._channel.send(memoryview(self._out)[: 1 << 20])]
        except BlockingIOError:
            return
        except OSError:
            self._out.clear()  # it is gone; what it said before can still be read
        self._watch_for_writing()

    def _watch_for_writing(self) -> None:
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._out else 0)
        if not self._ended:
            self._selector.modify(self._channel, wanted)

    def _read(self) -> None:
        try:
            part = self._channel.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        if not part:
            self._ended = True
            self._selector.unregister(self._channel)
        self._received += len(part)
        if self._received > self._limits.evidence:
            raise BadData("there is too much of it")
        self._in += part

    def _read_output(self) -> bool:
        """Take what was printed, and keep its end; whether there was any."""
        try:
            part = os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return False
        if not part:
            self._selector.unregister(self._pipe)
            return False
        self._printed += part
        keep = 4 * self._limits.output  # a character has four bytes at most
        if len(self._printed) > 4 * keep:
            del self._printed[:-keep]
        return True

    def _glance(self) -> None:
        if not sandboxes.LINUX or time.monotonic() - self._glanced < GLANCE:
            return
        self._glanced = time.monotonic()
        pids = sandboxes.tree_of(self._pid)
        # The kernel sees to this, but not where the user is root without root's rights.
        if len(pids) > self._limits.processes + self.OF_THE_SANDBOX:
            raise _TooManyProcesses
        if self._group:
            if self.was_starved:
                raise _OutOfMemory
        elif sandboxes.memory_of(pids) > self._limits.memory + self.TORCH:
            raise _OutOfMemory

    @property
    def was_starved(self) -> bool:
        """Whether the kernel has ended one of its processes for want of memory."""
        return self._group is not None and self._group.kills() > self._kills

    OF_THE_SANDBOX = 16  # processes at most
    LEFT_TO_READ = 16  # times 64 KiB: all that a pipe holds, though somebody still writes to it
    TORCH = 400 << 20  # what a process holds that has torch loaded, and nothing of a student's

    def close(self) -> int | None:
        """End the process and all it started; its exit code, if it ended by itself."""
        if not self._closed:
            self._closed = True
            self._channel.close()
            try:
                self._code = self._server.end(grace=0.5 if self._ended else 0.0)
            finally:
                with contextlib.suppress(KeyError, OSError):
                    for _ in range(self.LEFT_TO_READ):
                        if not self._read_output():
                            break
                os.close(self._pipe)
                self._selector.close()
        return self._code


def _decode(frame: bytes) -> dict:
    if int.from_bytes(frame[8:16], "little") > HEADER:
        raise BadData("there is too much text in it")
    event = data.unpack(frame)
    if not isinstance(event, dict):
        raise BadData("it is no report")
    event.setdefault("event", "")
    return event


STUDENT_PROCESS = Path(__file__).parent / "student" / "process.py"
# Where matplotlib keeps its list of fonts, which takes a second to make.
HOME_VARIABLES = ("HOME", "MPLCONFIGDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
# Which of the processor's instructions torch, MKL and oneDNN may use.
PROCESSOR_VARIABLES = (
    "ATEN_CPU_CAPABILITY", "MKL_CBWR", "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA",
)  # fmt: skip


def _environment(names: Sequence[str]) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


class _Server:
    """The process that has torch loaded and forks for each submission; see student/process.py."""

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
            [sys.executable, "-S", "-s", "-P", "-B", STUDENT_PROCESS, str(theirs.fileno())],
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
            "folders": [os.path.realpath(path) for path in _library_folders()],
            "course": course,
            "confinement": confinement.to_json(),
            "home": _environment(HOME_VARIABLES),
            "processor": _environment(PROCESSOR_VARIABLES),
        }
        with contextlib.suppress(_ServerDied):  # it will be noticed by who waits for it
            self._tell(settings)

    def wait_until_ready(self) -> None:
        if not self._is_ready:
            self._hear()
            self._is_ready = True

    def fork(self, limits: Limits, folder: str, group: MemoryGroup | None = None) -> _Child:
        """A new student's process. Raises _ServerDied."""
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
        return _Child(self, pid, limits, ours, reading, group)

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
            raise _ServerDied(self._last_words()) from error

    def _hear(self) -> dict:
        line = b""
        try:
            while not line.endswith(b"\n"):
                part = self._control.recv(1 << 16)
                if not part:
                    raise _ServerDied(self._last_words())
                line += part
        except OSError as error:
            raise _ServerDied(self._last_words()) from error
        return json.loads(line)

    def _last_words(self) -> str:
        self._complaints.seek(0)
        text = self._complaints.read()[-2000:].decode("utf-8", "replace").strip()
        return text.splitlines()[-1] if text else "it left no message"
