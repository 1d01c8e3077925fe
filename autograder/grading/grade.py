"""Grades what was handed in: collect, repair, run, judge, record, report.

Everything that is done is remembered in OUT/work, so a run that was stopped goes on where it
stopped. Submissions run side by side; all that concerns nbgrader happens in one thread.
"""

import contextlib
import queue
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from autograder.authoring.course import Course, read_course
from autograder.authoring.lesson import Lesson
from autograder.errors import WrongUsage

from .collect import Problem, Remark, Submission, collect
from .judge import Verdict
from .names import plain
from .preprocessors import kept_seed, released_notebook, sidecar
from .reading import read_notebook
from .record import Recorder
from .repair import Repaired, repair
from .report import write_report
from .results import Graded, Grader, digest, read_json, write_json
from .run import Limits, Runner, SandboxUnavailable
from .tables import in_order, number, write_tables
from .texts import TEXTS, text

SANDBOXES = ("auto", "namespaces", "bwrap", "none")


@dataclass(frozen=True)
class Request:
    """What `autograder grade` was asked for; `time_limit` None leaves it to the lessons."""

    submitted: Path
    out: Path
    lesson: str = ""
    student: str = ""
    jobs: int = 1
    sandbox: str = "auto"
    scheduler: str = ""
    seed: str = ""
    time_limit: float | None = None


@dataclass
class _Task:
    """One submission that could be read."""

    graded: Graded
    repaired: Repaired
    key: str = ""
    verdicts: list[Verdict] | None = None


def run(request: Request, console: Console) -> int:
    """Grade, with a progress bar and a table at the end; the exit code."""
    if request.sandbox == "none":
        console.print(text("progress", "unsandboxed"), style="yellow", markup=False)
    with _bar(console) as bar:
        graded = grade(request, bar)
    course = read_course()
    _show(graded, course, request.out, console)
    return 1 if any(one.status == "grader_fault" for one in graded) else 0


def grade(request: Request, bar: Progress | None = None) -> list[Graded]:
    """Grade, and write all results; every submission of this run with its outcome.

    Raises WrongUsage for what cannot be done.
    """
    course = read_course()
    lessons = _wanted(request, course)
    out = _out(request)
    collected = collect(
        request.submitted, [lesson.id for lesson in course.lessons], request.lesson, request.student
    )
    with _alone(out), _Run(request, course, out, bar or Progress(disable=True)) as this:
        return this.all(collected.submissions, lessons)


def _wanted(request: Request, course: Course) -> list[Lesson]:
    if request.scheduler:
        raise WrongUsage(text("usage", "scheduler"))
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


@contextlib.contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Only one run at a time writes to OUT. The lock ends with the process, however it ends."""
    (out / "work").mkdir(parents=True, exist_ok=True)
    with open(out / "work" / "lock", "w") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows
            pass
        except OSError as error:
            raise WrongUsage(text("usage", "busy", path=out)) from error
        yield


class _Run:
    def __init__(self, request: Request, course: Course, out: Path, bar: Progress):
        self.request, self.course, self.out, self.bar = request, course, out, bar
        self.work = out / "work"
        self.seed = request.seed or kept_seed(out)
        self.recorder = Recorder(out, self.seed)
        self._stack = contextlib.ExitStack()
        self._runners: dict[float, list[Runner]] = {}

    def __enter__(self) -> "_Run":
        return self

    def __exit__(self, *exception) -> None:
        self._stack.close()

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
        return runners[:count]

    def all(self, submissions: list[Submission], lessons: list[Lesson]) -> list[Graded]:
        graded: list[Graded] = []
        known = {lesson.id for lesson in lessons}
        for submission in submissions:
            if submission.lesson not in known:
                graded.append(self._unreadable(submission, _problem_of(submission), 0.0))
        for lesson in lessons:
            of = [one for one in submissions if one.lesson == lesson.id]
            if of:
                graded += self._lesson(lesson, of)
        for one in graded:
            path = sidecar(self.work, "submissions", one.student, one.lesson)
            write_json(path, {"graded": one.to_tree()})
        lasting = self._with_earlier(graded)
        write_tables(self.out, lasting, list(self.course.lessons))
        write_report(self.out, lasting, list(self.course.lessons), self.course.title)
        return graded

    def _with_earlier(self, graded: list[Graded]) -> list[Graded]:
        """Beside this run's, those that a run of part of the class left as they were."""
        if not self.request.lesson and not self.request.student:
            return graded
        new = {(one.student, one.lesson) for one in graded}
        earlier = []
        for path in sorted((self.work / "submissions").glob("*.json")):
            tree = read_json(path)
            one = Graded.from_tree(tree["graded"]) if tree else None
            if one and (one.student, one.lesson) not in new:
                earlier.append(one)
        return graded + earlier

    def _unreadable(self, submission: Submission, problem: Problem, points: float) -> Graded:
        """The outcome of a submission that holds nothing to grade."""
        one = Graded(
            submission.student, submission.lesson, points, (), submission.remarks, problem.remark
        )
        if points:
            self.recorder.withdraw(one)
        return one

    def _lesson(self, lesson: Lesson, submissions: list[Submission]) -> list[Graded]:
        points = sum(lesson.points().values())
        limit = self.request.time_limit or lesson.limit
        grader = Grader(lesson, self.seed, _no_runner, self.work, limit)
        self.recorder.prepare(self.course, lesson)
        graded, tasks = [], []
        step = self.bar.add_task(
            text("progress", "reading", lesson=lesson.id), total=len(submissions)
        )
        for submission in submissions:
            task = self._read(lesson, submission, points, grader)
            if isinstance(task, Graded):
                graded.append(task)
            else:
                tasks.append(task)
            self.bar.advance(step)
        missing = [task for task in tasks if task.verdicts is None]
        if missing:
            self.bar.update(
                step,
                description=text("progress", "running", lesson=lesson.id),
                total=len(missing),
                completed=0,
            )
            self._judge(grader, missing, limit, lambda: self.bar.advance(step))
        return graded + self._record(lesson, tasks, step)

    def _read(
        self, lesson: Lesson, submission: Submission, points: float, grader: Grader
    ) -> "_Task | Graded":
        try:
            submitted = read_notebook(submission.read())
            repaired = repair(lesson, released_notebook(lesson.id), submitted)
        except Problem as problem:
            return self._unreadable(submission, problem, points)
        except Exception as error:  # whatever a file is made of, it must not stop the others
            problem = Remark("problem", "internal", {"reason": _brief(error)})
            one = Graded(submission.student, lesson.id, points, problem=problem,
                         fault=problem.text)  # fmt: skip
            self.recorder.withdraw(one)
            return one
        receipts = (*submission.remarks, *repaired.receipts)
        one = Graded(submission.student, lesson.id, points, (), receipts)
        task = _Task(one, repaired, verdicts=grader.remembered(repaired.cells))
        questions = [
            cell.source for cell in repaired.notebook.cells if cell.cell_type == "markdown"
        ]
        said = [receipt.text for receipt in receipts]
        task.key = digest(grader.key(repaired.cells), questions, said)
        return task

    def _judge(
        self, grader: Grader, tasks: list[_Task], limit: float, tell: Callable[[], None]
    ) -> None:
        """Run and judge, several at a time; a fault of the grader is kept in the task."""
        idle: queue.SimpleQueue = queue.SimpleQueue()
        runners = self._runners_of(limit, min(self.request.jobs, len(tasks)))
        try:
            grader.prepare(runners[0])
        except Exception as error:  # this lesson's fault, which must not stop the others
            for task in tasks:
                task.graded = replace(task.graded, fault=_brief(error))
                tell()
            return
        for runner in runners:
            idle.put(runner)

        def one(task: _Task) -> None:
            runner = idle.get()
            try:
                task.verdicts = grader.grade(task.repaired.cells, runner)
            except Exception as error:
                task.graded = replace(task.graded, fault=_brief(error))
            finally:
                idle.put(runner)

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

    def _record(self, lesson: Lesson, tasks: list[_Task], step) -> list[Graded]:
        graded, waiting, keys = [], [], {}
        for task in tasks:
            one = replace(task.graded, verdicts=tuple(task.verdicts or ()))
            if one.status == "grader_fault":
                one = _faulty(one, lesson, one.fault or _fault_of(one))
                self.recorder.hand_in(one, lesson.name, task.repaired)
                self.recorder.withdraw(one)
                graded.append(one)
            elif self.recorder.is_recorded(one, task.key):
                graded.append(one)
            else:
                self.recorder.hand_in(one, lesson.name, task.repaired)
                waiting.append(one)
                keys[one.student] = task.key
        if not waiting:
            return graded
        self.bar.update(
            step,
            description=text("progress", "recording", lesson=lesson.id),
            total=2 * len(waiting),
            completed=0,
        )
        complaints = self.recorder.record(lesson, waiting, keys, lambda: self.bar.advance(step))
        if complaints:
            again = [one for one in waiting if one.student in complaints]
            complaints = self.recorder.record(lesson, again, keys, lambda: None)
        for one in waiting:
            if one.student in complaints:
                one = _faulty(one, lesson, complaints[one.student])
                self.recorder.withdraw(one)
            graded.append(one)
        return graded


def _problem_of(submission: Submission) -> Problem:
    """Why there is nothing to read, for what lies in no lesson's folder."""
    try:
        submission.read()
    except Problem as problem:
        return problem
    return Problem("unknown_lesson", close="")


def _no_runner() -> Runner:
    raise AssertionError("a runner is always given here")


def _faulty(one: Graded, lesson: Lesson, fault: str) -> Graded:
    """The submission with the grader's fault in place of all its verdicts: none of them counts."""
    verdicts = tuple(
        Verdict(component, test.name, 0.0, test.points, "grader_fault", "", "")
        for component, tests in lesson.hidden("points").items()
        for test in tests
    )
    return replace(one, verdicts=verdicts, fault=fault)


def _fault_of(one: Graded) -> str:
    return next((v.message for v in one.verdicts if v.status == "grader_fault"), "")


def _brief(error: Exception) -> str:
    lines = plain(f"{type(error).__name__}: {error}").strip().splitlines()
    return lines[0][:300]


def _bar(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )


def _show(graded: list[Graded], course: Course, out: Path, console: Console) -> None:
    """The scores as a table, and where everything lies."""
    console.print(score_table(graded, course))
    console.print(
        text(
            "progress",
            "written",
            grades=out / "grades.csv",
            summary=out / "summary.csv",
            feedback=out / "feedback",
            report=out / "report.html",
            gradebook=out / "gradebook.db",
        ),
        markup=False,
        soft_wrap=True,
    )
    faults = sum(one.status == "grader_fault" for one in graded)
    if faults:
        console.print(text("progress", "faults", count=faults), markup=False)


def score_table(graded: list[Graded], course: Course) -> Table:
    """Students and lessons, each with points and, where it did not pass, the mark of its status."""
    graded = in_order(graded, list(course.lessons))
    order = {lesson.id: place for place, lesson in enumerate(course.lessons)}
    lessons = sorted(
        {one.lesson: one.max_score for one in graded}.items(),
        key=lambda pair: (order.get(pair[0], len(order)), pair[0]),
    )
    used = dict.fromkeys(one.status for one in graded if one.status != "passed")
    legend = ", ".join(f"{TEXTS['status_mark'][key]} {TEXTS['status'][key]}" for key in used)
    title, student = text("progress", "table"), text("progress", "student")
    table = Table(title=title, caption=Text(legend), title_justify="left", caption_justify="left")
    table.add_column(student, overflow="fold")
    for lesson, points in lessons:
        # A lesson's number is enough, and leaves room for all of them in a narrow window.
        name = lesson[:2] if lesson in order else lesson or "—"
        table.add_column(Text(f"{name}\n/ {number(points)}"), justify="right")
    for student in dict.fromkeys(one.student for one in graded):
        own = {one.lesson: one for one in graded if one.student == student}
        # Text, not markup: a student may be called "[red]".
        table.add_row(Text(student), *(_cell(own.get(lesson)) for lesson, _ in lessons))
    return table


def _cell(one: Graded | None) -> Text:
    if one is None:
        return Text("")
    score = "" if one.score is None else number(one.score)
    if one.status == "passed":
        return Text(score)
    return Text(f"{TEXTS['status_mark'][one.status]} {score}".strip(), style="yellow")
