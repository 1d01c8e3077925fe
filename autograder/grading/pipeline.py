"""Grades what was handed in: collect, repair, run, judge, record, report.

Everything that is done is remembered in OUT/work, so a run that was stopped goes on where it
stopped. Submissions run side by side; all that concerns nbgrader happens in one thread.
"""

import contextlib
import math
import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from autograder.errors import WrongUsage
from autograder.grading.collect.choose_notebook import chosen
from autograder.grading.collect.submissions import collect
from autograder.grading.gradebook.preprocessors import released_notebook
from autograder.grading.gradebook.record import Recorder
from autograder.grading.report.report import write_report
from autograder.grading.report.tables import write_tables
from autograder.grading.report.terminal import Terminal, progress_bar, show
from autograder.grading.translator.scorer import Files, Scorer, TranslatingFault, look
from autograder.judging.answer_key import read_kept
from autograder.judging.judge import Verdict
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.sandbox.choose import SandboxUnavailable
from autograder.sandbox.runner import Runner, RunnerPool
from autograder.sandbox.work import Cell, Limits
from transformer_workbook.translation.hardware import memory

from . import sandbox_note as confinement
from .cluster import Cluster
from .escape import plain
from .grader import Grader
from .model import Graded, Problem, Remark, Submission
from .outdir import OF_THE_DISK, CannotWrite, alone, digest, kept_seed
from .score_changes import Change, Listener, change
from .texts import text

ROOM = 3 << 30  # bytes of memory for each submission that runs: its limit, Python and torch
SANDBOXES = ("auto", "namespaces", "bwrap", "none")


@dataclass(frozen=True)
class Request:
    """What `autograder grade` was asked for; `time_limit` None leaves it to the lessons.

    With `yes`, scores that are recorded already may drop.
    """

    submitted: Path
    out: Path
    lesson: str = ""
    student: str = ""
    jobs: int = 1
    sandbox: str = "auto"
    scheduler: str = ""
    seed: str = ""
    time_limit: float | None = None
    yes: bool = False


@dataclass
class _Task:
    """One submission on its way. `cells` are kept until they have run; `key` is that of what is
    to be recorded, empty where there is nothing to record. `files` lie beside the notebook."""

    graded: Graded
    cells: list[Cell] = field(default_factory=list)
    key: str = ""
    verdicts: list[Verdict] | None = None
    files: Files | None = None


def usual_jobs() -> int:
    """As many submissions at a time as there are processors, and as there is memory for."""
    try:
        processors = len(os.sched_getaffinity(0))
        room = memory()
    except (AttributeError, OSError, ValueError):  # macOS, for one, has no affinity
        return os.cpu_count() or 1
    return max(1, min(processors, room // ROOM))


def run(request: Request, console: Console) -> int:
    """Grade, with a progress bar and a table at the end; the exit code."""
    if request.sandbox == "none":
        console.print(text("progress", "unsandboxed"), style="yellow", markup=False)
    with progress_bar(console) as bar:
        terminal = Terminal(console, bar, request.yes)
        graded = grade(request, bar, terminal)
    show(graded, read_course(), request.out, console)
    faults = any(one.status == "grader_fault" for one in graded)
    return 1 if faults or terminal.was_kept else 0


def grade(
    request: Request, bar: Progress | None = None, listener: Listener | None = None
) -> list[Graded]:
    """Grade, and write all results; what is recorded of every submission of this run.

    Nothing that was recorded is changed before all submissions are judged and `listener` has
    agreed, should scores drop. Raises WrongUsage for what cannot be done, CannotWrite where OUT
    cannot be written.
    """
    course = read_course()
    lessons = _wanted(request, course)
    if request.time_limit is not None and not math.isfinite(request.time_limit):
        raise WrongUsage(text("usage", "time_limit", came=request.time_limit))
    out = _out(request)
    collected = collect(
        request.submitted, [lesson.id for lesson in course.lessons], request.lesson, request.student
    )
    bar, listener = bar or Progress(disable=True), listener or Listener(request.yes)
    with alone(out), _Run(request, course, out, bar, listener) as this:
        return this.all(collected, lessons)


def _wanted(request: Request, course: Course) -> list[Lesson]:
    lessons = [lesson for lesson in course.lessons if request.lesson in ("", lesson.id)]
    if not lessons:
        known = ", ".join(lesson.id for lesson in course.lessons)
        raise WrongUsage(text("usage", "no_lesson", lesson=request.lesson, lessons=known))
    return lessons


def _out(request: Request) -> Path:
    out, submitted = request.out.resolve(), request.submitted.resolve()
    if out == submitted or submitted in out.parents:
        raise WrongUsage(text("usage", "out_inside"))
    if out.exists() and not out.is_dir():
        raise WrongUsage(text("usage", "out_is_file", path=request.out))
    return out


class _Run:
    def __init__(
        self, request: Request, course: Course, out: Path, bar: Progress, listener: Listener
    ):
        self.request, self.course, self.out = request, course, out
        self.bar, self.listener = bar, listener
        self.work = out / "work"
        self.seed = request.seed or kept_seed(out)
        self.recorder = Recorder(out, self.seed, request.time_limit or 0.0)
        self._stack = contextlib.ExitStack()
        self._runners: dict[float, list[Runner]] = {}
        self._cluster: Cluster | None = None
        self._ways: confinement.Ways = []

    def __enter__(self) -> "_Run":
        if self.request.scheduler:
            cluster = Cluster(self.request.scheduler, self.request.sandbox, self._confined)
            self._cluster = self._stack.enter_context(cluster)
        return self

    def __exit__(self, *exception) -> None:
        self._stack.close()

    def _confined(self, way: dict[str, str]) -> None:
        """Remember how students' code is confined in this run."""
        if way not in self._ways:
            self._ways.append(way)
            confinement.note(self.work, self._ways)

    def _runners_of(self, limit: float, count: int) -> list[Runner]:
        """Runners with this time limit; they are kept, for starting one takes seconds."""
        runners = self._runners.setdefault(limit, [])
        hidden = [self.request.submitted.resolve(), self.out]
        while len(runners) < count:
            try:
                runner = Runner(self.request.sandbox, Limits(seconds=limit), hidden=hidden)
            except SandboxUnavailable as error:
                raise WrongUsage(str(error)) from error
            runners.append(self._stack.enter_context(runner))
            self._confined(confinement.way(runners[-1]))
        return runners[:count]

    def all(self, submissions: list[Submission], lessons: list[Lesson]) -> list[Graded]:
        known = {lesson.id for lesson in lessons}
        tasks = {"": [self._stray(one) for one in submissions if one.lesson not in known]}
        for lesson in lessons:
            of = [one for one in submissions if one.lesson == lesson.id]
            if of:
                tasks[lesson.id] = self._judged(lesson, of)
        tasks, kept = self._agreed(tasks)
        changes = [one for of in tasks.values() for task in of if (one := self._change(task))]
        graded = [self._settled(task.graded) for task in tasks.pop("", [])]
        for lesson in lessons:
            if lesson.id in tasks:
                graded += self._record(lesson, tasks[lesson.id])
        if changes:
            self.listener.changed(changes)
        graded += kept
        lasting = self._with_earlier(graded)
        write_tables(self.out, lasting, list(self.course.lessons))
        write_report(self.out, lasting, list(self.course.lessons), self.course.title)
        return graded

    def _with_earlier(self, graded: list[Graded]) -> list[Graded]:
        """Beside this run's, what is recorded of submissions that it did not come across."""
        new = {(one.student, one.lesson) for one in graded}
        everything = not (self.request.lesson or self.request.student)
        earlier = [
            one
            for one in self.recorder.all_known()
            if (one.student, one.lesson) not in new and (not everything or one.verdicts)
        ]
        if everything and earlier:
            self.listener.not_handed_in(len(earlier))
            lost = sum(not self.recorder.in_gradebook(one) for one in earlier if one.verdicts)
            if lost:
                self.listener.not_in_gradebook(lost)
        return graded + earlier

    def _agreed(self, tasks: dict[str, list[_Task]]) -> tuple[dict[str, list[_Task]], list[Graded]]:
        """What may be recorded, and what stays as it was recorded earlier.

        Should scores drop, that is asked first. Where the answer is no, a lesson that was itself
        changed is left as it was; of any other, only those submissions that would lose points.
        """
        changes = {id(task): self._change(task) for of in tasks.values() for task in of}
        changes = {key: one for key, one in changes.items() if one}
        drops = {key for key, one in changes.items() if one.drops}
        if not drops or self.listener.may_drop(list(changes.values())):
            return tasks, []
        whole = {
            lesson
            for lesson, of in tasks.items()
            if lesson
            and any(id(task) in drops for task in of)
            and self.recorder.has_changed(self.course.lesson(lesson))
        }
        agreed, kept = {}, []
        for lesson, of in tasks.items():
            for task in of:
                one = task.graded
                if lesson in whole or id(task) in drops:
                    kept.append(self.recorder.known(one.student, one.lesson))
            if lesson not in whole:
                agreed[lesson] = [task for task in of if id(task) not in drops]
        self.listener.kept([changes[key] for key in drops], sorted(whole))
        return agreed, [one for one in kept if one]

    def _change(self, task: _Task) -> Change | None:
        """How a score changes; what an earlier run was stopped at had been agreed to then."""
        one = task.graded
        before = self.recorder.known(one.student, one.lesson)
        if before and self.recorder.is_half_recorded(one, task.key):
            return None
        return change(before, one)

    def _stray(self, submission: Submission) -> _Task:
        """What lies in no lesson's folder."""
        return _unreadable(submission, _problem_of(submission), 0.0)

    def _settled(self, one: Graded) -> Graded:
        """Remember an outcome that gives no grade; one that was given before must not stand."""
        if self.recorder.known(one.student, one.lesson) != one:
            self.recorder.withdraw(one)
        return one

    def _judged(self, lesson: Lesson, submissions: list[Submission]) -> list[_Task]:
        """Read, run and judge one lesson's submissions. Nothing is recorded yet."""
        points = sum(lesson.points().values())
        limit = self.request.time_limit or lesson.limit
        grader = Grader(lesson, self.seed, _no_runner, self.work, limit)
        scorer = self._scorer(lesson) if lesson.hand_in else None
        tasks = []
        step = self.bar.add_task(
            text("progress", "reading", lesson=lesson.id), total=len(submissions)
        )
        for submission in submissions:
            tasks.append(self._read(lesson, submission, points, grader, scorer))
            self.bar.advance(step)
        missing = [task for task in tasks if task.key and task.verdicts is None]
        if missing:
            self.bar.update(
                step,
                description=text("progress", "running", lesson=lesson.id),
                total=len(missing),
                completed=0,
            )
            self._judge(grader, missing, limit, lambda: self.bar.advance(step))
        if scorer:
            self._score(scorer, [task for task in tasks if task.files])
        for task in tasks:
            if task.key:
                one = replace(
                    task.graded,
                    verdicts=tuple(task.verdicts or ()),
                    receipts=(*task.graded.receipts, *grader.left_out(task.cells)),
                    remarks=tuple(grader.remarks(task.cells)),
                )
                task.cells = []
                if one.status == "grader_fault":
                    one, task.key = _faulty(one, lesson, one.fault or _fault_of(one)), ""
                task.graded = one
        return tasks

    def _read(self, lesson, submission, points, grader, scorer: Scorer | None) -> _Task:
        try:
            repaired, passed_over = chosen(lesson, released_notebook(lesson.id), submission)
        except Problem as problem:
            return _unreadable(submission, problem, points)
        except Exception as error:  # whatever a file is made of, it must not stop the others
            problem = Remark("problem", "internal", {"reason": _brief(error)})
            return _Task(Graded(submission.student, lesson.id, points, problem=problem,
                                fault=problem.text))  # fmt: skip
        receipts = (*submission.remarks, *passed_over, *repaired.receipts)
        one = Graded(submission.student, lesson.id, points, (), receipts)
        task = _Task(one, repaired.cells, verdicts=grader.remembered(repaired.cells))
        questions = [
            cell.source for cell in repaired.notebook.cells if cell.cell_type == "markdown"
        ]
        said = [receipt.text for receipt in receipts]
        task.key = digest(grader.key(repaired.cells), questions, said)
        if scorer:
            task.files = look(submission.beside)
            task.key = digest(task.key, scorer.key(task.files))
        if not self.recorder.is_taken(one, task.key):
            self.recorder.take(one, repaired)
        return task

    def _judge(
        self, grader: Grader, tasks: list[_Task], limit: float, tell: Callable[[], None]
    ) -> None:
        """Run and judge, several at a time; a fault of the grader is kept in the task."""
        if self._cluster:
            for place, came in self._cluster.judge(grader, [task.cells for task in tasks]):
                if isinstance(came, Exception):
                    tasks[place].graded = replace(tasks[place].graded, fault=_brief(came))
                else:
                    tasks[place].verdicts = came
                tell()
            return
        runners = self._runners_of(limit, min(self.request.jobs, len(tasks)))
        # What answers are compared with must not lack time, however little they have.
        kept = read_kept(grader.cache, grader.lesson, grader.seed)
        enough = limit if kept else max(limit, grader.lesson.limit)
        try:
            first, *more = self._runners_of(enough, len(runners))
            grader.prepare(first, kept, more)
        except Exception as error:  # this lesson's fault, which must not stop the others
            _stop_if_full(error, self.work)
            for task in tasks:
                task.graded = replace(task.graded, fault=_brief(error))
                tell()
            return
        runner_pool = RunnerPool(runners)

        def one(task: _Task) -> None:
            try:
                with runner_pool.runner() as runner:
                    task.verdicts = grader.grade(task.cells, runner)
            except CannotWrite:
                raise
            except Exception as error:
                task.graded = replace(task.graded, fault=_brief(error))

        with ThreadPoolExecutor(len(runners)) as pool:
            waiting = {pool.submit(one, task) for task in tasks}
            try:
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    for future in done:
                        future.result()
                        tell()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _scorer(self, lesson: Lesson) -> Scorer:
        return Scorer(lesson, self.work, self.request.sandbox, self.request.time_limit or 0.0)

    def _score(self, scorer: Scorer, tasks: list[_Task]) -> None:
        """Score what was handed in beside the notebooks, several at a time."""
        step = self.bar.add_task(
            text("progress", "translating", lesson=scorer.lesson.id), total=len(tasks)
        )

        score, jobs = None, self.request.jobs
        if self._cluster:
            score, jobs = partial(self._cluster.score, scorer), max(1, self._cluster.size)

        def one(task: _Task) -> None:
            try:
                task.verdicts = [*(task.verdicts or ()), *scorer.grade(task.files, score)]
            except (CannotWrite, WrongUsage):
                raise
            except TranslatingFault as error:
                task.graded = replace(task.graded, fault=str(error))
            except Exception as error:
                task.graded = replace(task.graded, fault=_brief(error))
            self.bar.advance(step)

        with ThreadPoolExecutor(jobs) as pool:
            waiting = [pool.submit(one, task) for task in tasks]
            try:
                for future in waiting:
                    future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                scorer.stop()
                raise

    def _record(self, lesson: Lesson, tasks: list[_Task]) -> list[Graded]:
        """Bring the gradebook, and the pages of feedback, to what was judged."""
        self.recorder.prepare(self.course, lesson)
        graded, waiting, keys = [], [], {}
        for task in tasks:
            one = task.graded
            if not task.key:
                graded.append(self._settled(one))
            elif self.recorder.is_recorded(one, task.key):
                graded.append(one)
            else:
                waiting.append(one)
                keys[one.student] = task.key
        if not waiting:
            return graded
        step = self.bar.add_task(
            text("progress", "recording", lesson=lesson.id), total=2 * len(waiting)
        )
        complaints = self.recorder.record(lesson, waiting, keys, lambda: self.bar.advance(step))
        if complaints:
            again = [one for one in waiting if one.student in complaints]
            complaints = self.recorder.record(lesson, again, keys, lambda: None)
        for one in waiting:
            if one.student in complaints:
                one = self._settled(_faulty(one, lesson, complaints[one.student]))
            graded.append(one)
        return graded


def _unreadable(submission: Submission, problem: Problem, points: float) -> _Task:
    """The outcome of a submission that holds nothing to grade."""
    student, lesson = submission.student, submission.lesson
    return _Task(Graded(student, lesson, points, (), submission.remarks, problem.remark))


def _problem_of(submission: Submission) -> Problem:
    """Why there is nothing to read, for what lies in no lesson's folder."""
    try:
        for _, read in submission.notebooks:
            next(read(), b"")
    except Problem as problem:
        return problem
    return Problem("unknown_lesson", close="")


def _no_runner() -> Runner:
    raise AssertionError("a runner is always given here")


def _stop_if_full(error: Exception, folder: Path) -> None:
    """Raise CannotWrite for an error that every other submission would meet too."""
    if isinstance(error, CannotWrite):
        raise error
    if isinstance(error, OSError) and error.errno in OF_THE_DISK:
        raise CannotWrite.because(Path(error.filename or folder), error) from error


def _faulty(one: Graded, lesson: Lesson, fault: str) -> Graded:
    """The submission with the grader's fault in place of all its verdicts: none of them counts."""
    verdicts = tuple(
        Verdict(component, test.name, 0.0, test.points, "grader_fault", "", "")
        for component, tests in lesson.hidden("points").items()
        for test in tests
    )
    if lesson.hand_in:
        of = lesson.hand_in
        verdicts += tuple(
            Verdict(of.component, test, 0.0, points, "grader_fault", "", "")
            for test, points in of.tests.items()
        )
    return replace(one, verdicts=verdicts, fault=fault)


def _fault_of(one: Graded) -> str:
    return next((v.message for v in one.verdicts if v.status == "grader_fault"), "")


def _brief(error: Exception) -> str:
    lines = plain(f"{type(error).__name__}: {error}").strip().splitlines()
    return lines[0][:300]
