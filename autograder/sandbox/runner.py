"""Runs submissions: the trusted side.

`Runner.run` runs a student's cells and probes what they defined, in a process that holds no test
and no solution (`student/submission_run.py`) and is confined (`student/confinement/confine.py`).
Each probe call gets evidence: what it returned, or how the student's code failed. A fault of the
grader itself is raised as RunnerFault, and is never evidence.
"""

import ast
import contextlib
import functools
import queue
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import torch

import transformer_workbook
from autograder.language import _
from transformer_workbook.shared.evidence import Failure
from transformer_workbook.shared.packing import BadData
from transformer_workbook.shared.probing import module_name
from transformer_workbook.shared.syntax import parse

from . import cgroup
from .choose_sandbox import choose
from .excerpt import excerpt
from .fork_server import ForkServer, ServerDied
from .job import Cell, Job, Outcome, Plan, RunnerFault
from .limits import Limits
from .progress import Progress, failure_from
from .student.confinement.confine import Confinement
from .student.confinement.linux import LINUX
from .student.confinement.processes import describe_end, memory_left
from .student_process import Ended, OutOfMemory, OutOfTime, StudentProcess, TooManyProcesses
from .view import plan_view, python_folders, secret_folders

# In the students' package. What Python has compiled of them could be read, too.
STAND_INS = "lessons/*/standins.py"
COMPILED_STAND_INS = "lessons/*/__pycache__/standins.*"
FurtherPlans = Callable[[Outcome, float], Sequence[Plan]]
# Modules that take long to import and that not every submission needs, with words in the texts of
# those that do. torch imports its compiler for optimizers, and for shapes without numbers.
LATER = {
    "torch._dynamo": ("optim", '"meta"', "TorchDispatchMode"),
    "matplotlib.pyplot": ("matplotlib",),
}
SECONDS_TO_FREE = 3  # for a process that has ended to give back its memory


class Runner:
    """Runs submissions, one after the other. Use it as a context manager, or `close` it.

    `sandbox` is "auto", "namespaces", "bwrap" or "none"; `course` is the folder that holds the
    students' package; `hidden` are further files and folders that students' code must not see.
    Raises SandboxUnavailable.
    """

    size = 1  # submissions at a time
    misbehaved = 0  # the sum of what `Progress` counts under this name, of all runners

    def __init__(self, sandbox: str = "auto", limits: Limits | None = None, *,
                 course: Path | str | None = None, hidden: Iterable[Path | str] = ()):  # fmt: skip
        self.sandbox = choose(sandbox)
        self.limits = limits or Limits()
        self.course = Path(course or Path(transformer_workbook.__path__[0]).parent).resolve()
        self._stand_ins = {
            path.parent.name: path.read_text(encoding="utf-8")
            for path in self._package.glob(STAND_INS)
        }
        withheld = [*self._package.glob(STAND_INS), *self._package.glob(COMPILED_STAND_INS)]
        # The sandbox's disk is a tmpfs, so it counts as memory.
        self._cgroup = cgroup.make(self.limits.memory + self.limits.disk)
        self._confinement = Confinement(
            self.sandbox,
            view=plan_view(
                [*python_folders(), str(self._package)],
                [*secret_folders(), *map(str, (*withheld, *hidden))],
            ),
            memory=self.limits.memory,
            processes=self.limits.processes,
            file_size=self.limits.file_size,
            disk=self.limits.disk,
            cpu=int(self.limits.seconds) + 5,
            cgroup=str(self._cgroup.folder) if self._cgroup else "",
        )
        self.fork_server = self._new_fork_server()
        self._is_stopped = False

    @property
    def memory_limit(self) -> str:
        """What limits memory: "group1" or "group2" (a cgroup of that version), "watch" (a limit on
        each process, and the grader's count of all of them), or "process" (only the former)."""
        if self._cgroup:
            return f"group{self._cgroup.version}"
        return "watch" if LINUX else "process"

    @property
    def _package(self) -> Path:
        return self.course / "transformer_workbook"

    def __enter__(self) -> "Runner":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self.fork_server.close()
        if self._cgroup:
            self._cgroup.close()

    def stop(self) -> None:
        """End what another thread runs here: it gets a RunnerFault, as does all that follows."""
        self._is_stopped = True
        self.fork_server.stop()

    def _new_fork_server(self) -> ForkServer:
        return ForkServer(self._confinement, str(self.course))

    def run(
        self, job: Job, limits: Limits | None = None, further_plans: FurtherPlans | None = None
    ) -> Outcome:
        """Run one submission. Raises RunnerFault where the grader fails.

        `limits`, if given, replace the runner's own limits on time, output and evidence.
        `further_plans` gets the outcome of all plans, with the seconds that are left, and gives
        those to carry out next in the same process.
        """
        limits = limits or self.limits
        probes = self._probes(job)
        _check(job.plans, probes, job.lesson)

        def checked_further_plans(outcome: Outcome) -> Sequence[Plan]:
            plans = further_plans(outcome, end - time.monotonic()) if further_plans else ()
            _check([*job.plans, *plans], probes, job.lesson)
            return plans

        progress = Progress(job, limits.evidence, checked_further_plans)
        imports = _imports([probes, *(cell.source for cell in job.cells)])
        with contextlib.suppress(ServerDied):  # the first attempt will raise it
            self.fork_server.wait_until_ready(imports)  # not in the submission's time
        misbehaved_before = Runner.misbehaved
        started = time.monotonic()
        end = started + limits.seconds
        faults = 0
        while progress.is_unfinished() and time.monotonic() < end:
            try:
                self._attempt(progress, limits, end)
            except ServerDied as error:
                faults += 1
                if self._is_stopped:
                    raise RunnerFault(_("stopped")) from error
                self.fork_server.close()
                self.fork_server = self._new_fork_server()
                if self._is_stopped:  # meanwhile
                    self.fork_server.stop()
                if faults > 1:
                    raise RunnerFault(
                        _("the process that runs cells died twice: {error}"), error=error
                    ) from error
                before = time.monotonic()
                with contextlib.suppress(ServerDied):
                    self.fork_server.wait_until_ready(imports)
                end += time.monotonic() - before
        progress.give_up(
            Failure("timeout", message=_("the time of the whole submission was used up"))
        )
        outcome = progress.outcome
        outcome.seconds = time.monotonic() - started
        outcome.sandbox = self.sandbox
        others_misbehaved = Runner.misbehaved - misbehaved_before > progress.misbehaved
        outcome.was_disturbed = outcome.was_stopped and (others_misbehaved or progress.is_in_doubt)
        return outcome

    def _came_back(self, left: int, held: int) -> bool:
        """Whether far more memory is free again than the `held` bytes of the ended processes."""
        enough, until = left + held + self.limits.memory // 2, time.monotonic() + SECONDS_TO_FREE
        while (is_short := memory_left() < enough) and time.monotonic() < until:
            time.sleep(0.05)
        return not is_short

    def _probes(self, job: Job) -> str:
        """The source of the module that holds the probes; empty if there is none."""
        file = self._package / f"{job.probes_module.replace('.', '/')}.py"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def _attempt(self, progress: Progress, limits: Limits, end: float) -> None:
        """Run cells and plans in a new process until all are done, or one ends the process.

        The next attempt leaves that one out. `end` is a time of the monotonic clock.
        """
        with _temporary_folder(needed=self.sandbox == "none") as folder:
            child = self.fork_server.fork(limits, folder, self._cgroup)
            self._run_steps(child, progress, limits, end)

    def _run_steps(
        self, child: StudentProcess, progress: Progress, limits: Limits, end: float
    ) -> None:
        """Run the remaining steps in this process, blame the step that ended it, and close it."""
        try:
            try:
                self._carry_out(child, progress, limits, end)
                return
            except OutOfTime:
                failure = Failure("timeout", message=_("it took too long and was stopped"))
            except OutOfMemory as error:
                left = memory_left()
                progress.is_in_doubt |= bool(error.args) and len(StudentProcess.running) > 1
                child.close()
                if error.args and not self._came_back(left, *error.args):
                    return  # other programs took it; this is tried again
                failure = Failure("out_of_memory", message=_("it took too much memory"))
            except TooManyProcesses:
                failure = Failure("died", message=_("it started too many processes"))
            except BadData as error:
                failure = Failure(
                    "died", message=_("what it sent is no evidence: {error}").format(error=error)
                )
            except Ended:
                failure = None  # the exit code will tell
            code = child.close()
            if failure is None and child.ran_out_of_memory:
                failure = Failure("out_of_memory", message=_("it took too much memory"))
            if failure is None:
                how = _("the process was ended") if code is None else describe_end(code)
                failure = Failure("died", message=how)
            if failure.kind != "timeout":
                progress.misbehaved += 1
                Runner.misbehaved += 1
            progress.blame(failure)
        finally:
            child.close()
            progress.outcome.output = child.output

    def _carry_out(
        self, child: StudentProcess, progress: Progress, limits: Limits, end: float
    ) -> None:
        def share() -> float:
            return limits.share(end - time.monotonic())

        progress.step = None
        first = child.event(30)
        if first.get("event") != "ready":
            raise RunnerFault(
                _("the sandbox failed: {reason}"), reason=str(first.get("message"))[:500]
            )
        cells = progress.cells_left()
        child.send(self._job_message(progress.job, cells))
        for index, _cell in cells:
            progress.step = index
            event = child.event(share())
            if event.keys() != {"event", "index", "failure"}:
                raise BadData(_("a cell's report was expected"))
            # Compare the type first: whether tensors differ may have no truth value.
            if type(event["index"]) is not int or event["index"] != index:
                raise BadData(_("a cell's report was expected"))
            progress.add_cell(index, failure_from(event["failure"]))
        for plan in progress.plans_left():
            progress.step = plan
            seconds = share()
            child.send(self._plan_message(plan, progress.job), before=_milliseconds(seconds))
            # The process itself stops a plan in time. Wait a second longer, as it may fail to.
            until = time.monotonic() + seconds + 1
            while True:
                event = child.event(min(until, end) - time.monotonic())
                if event.keys() == {"event", "id", "evidence"}:
                    progress.add_evidence(event["id"], event["evidence"])
                elif event.keys() == {"event", "names"}:
                    progress.add_refused(event["names"])
                elif event.keys() == {"event", "code"}:
                    if child.ran_out_of_memory:
                        raise OutOfMemory
                    progress.end_plan(event["code"])
                    break
                else:
                    raise BadData(_("evidence was expected"))

    def _job_message(self, job: Job, cells: list[tuple[int, Cell]]) -> dict[str, Any]:
        earlier = {module_name(le) for le in job.stand_ins.values() if le < job.lesson}
        return {
            "lesson": job.lesson,
            "cells": [{"index": index, **vars(cell)} for index, cell in cells],
            "stand_ins": job.stand_ins,
            "double": job.double,
            "seed": job.seed,
            "forbidden": sorted({name for plan in job.plans for name in plan.forbidden}),
            "files": {
                name: torch.tensor(np.frombuffer(content, np.uint8))
                for name, content in job.files.items()
            },
            "probes": job.probes_module,
            "sources": {
                name: source for name, source in self._stand_ins.items() if name in earlier
            },
        }

    def _plan_message(self, plan: Plan, job: Job) -> dict[str, Any]:
        module = module_name(job.lesson)
        source = excerpt(self._stand_ins.get(module, ""), plan.stand_ins, plan.defines)
        return {
            "component": plan.component,
            "defines": plan.defines,
            "calls": [vars(call) for call in plan.calls],
            "forbidden": list(plan.forbidden),
            "stand_ins": list(plan.stand_ins) if source else [],
            "sources": {module: source} if source else {},
        }


@contextlib.contextmanager
def _temporary_folder(needed: bool) -> Iterator[str]:
    """The name of a temporary folder for one submission; empty if none is needed."""
    folder = tempfile.mkdtemp() if needed else ""
    try:
        yield folder
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def _milliseconds(seconds: float) -> bytes:
    return int(max(seconds, 0) * 1000).to_bytes(8, "little")


def _check(plans: Sequence[Plan], probes: str, lesson: str) -> None:
    """Raise RunnerFault if a plan cannot be carried out, whatever the student wrote."""
    ids = [call.id for plan in plans for call in plan.calls]
    if len(ids) != len(set(ids)):
        raise RunnerFault(_("two probe calls have the same id"))
    missing = {call.probe for plan in plans for call in plan.calls} - _functions_in(probes)
    if missing:
        raise RunnerFault(
            _("lesson {lesson} has no probe named {names}"),
            lesson=lesson,
            names=", ".join(sorted(missing)),
        )


def _imports(sources: Sequence[str]) -> list[str]:
    """Modules to import before the fork, since one of the sources names what needs them."""
    return [
        name
        for name, words in LATER.items()
        if any(word in source for source in sources for word in words)
    ]


@functools.cache
def _functions_in(source: str) -> set[str]:
    """The names in a module that may be functions."""
    tree = parse(source)
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


Lent = TypeVar("Lent")


class RunnerPool(Generic[Lent]):
    """Runners, or groups of them, for several threads; one thread at a time uses each."""

    def __init__(self, runners: Sequence[Lent]):
        self.size = len(runners)
        self._idle: queue.SimpleQueue[Lent] = queue.SimpleQueue()
        for runner in runners:
            self._idle.put(runner)

    @contextlib.contextmanager
    def runner(self) -> Iterator[Lent]:
        """An idle runner; waits for one."""
        runner = self._idle.get()
        try:
            yield runner
        finally:
            self._idle.put(runner)

    def run(
        self: "RunnerPool[Runner]",
        job: Job,
        limits: Limits | None = None,
        further_plans: FurtherPlans | None = None,
    ) -> Outcome:
        """Run one submission on an idle runner, as `Runner.run` does. Raises RunnerFault."""
        with self.runner() as runner:
            return runner.run(job, limits, further_plans)


Runners = Runner | RunnerPool[Runner]  # either runs submissions, `size` of them at a time
