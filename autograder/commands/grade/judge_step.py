"""The step that reads, rebuilds, runs and judges submissions. Nothing is recorded yet."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from nbformat import NotebookNode
from rich.progress import TaskID

from autograder.grading.run.grader import (
    CellGrader,
    ComponentGrader,
    ExplainedFault,
    Submitted,
    with_lost,
)
from autograder.judging.judge import TestResult
from autograder.language import _, speaking
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook
from autograder.lesson.translation import ENGLISH
from autograder.nbgrader.recorder import Recorder
from autograder.results.outdir import digest
from autograder.results.remarks import Problem, Remark, lost_cells
from autograder.results.safe_names import plain
from autograder.results.submission import Submission, SubmissionResult
from autograder.sandbox.job import Cell
from autograder.submissions.choose_notebook import chosen

from .prepare import Run


@dataclass
class Task:
    """One submission on its way.

    `result` is what is known so far. `cells`, and `files` handed in beside the notebook, are kept
    until they are judged. `recording_key` is a hash of all that is to be recorded, empty where
    there is no grade.
    """

    result: SubmissionResult
    cells: list[Cell] = field(default_factory=list)
    recording_key: str = ""
    test_results: list[TestResult] | None = None
    files: Any = None

    @property
    def earns_grade(self) -> bool:
        return bool(self.recording_key)


@dataclass(frozen=True)
class Graders:
    """What judges one lesson's submissions: their cells, and files beside the notebook, if any.

    `released` makes the notebook that students received; it and the grader are by language.
    """

    lesson: Lesson
    released: Callable[[str], NotebookNode]
    of_cells: Callable[[str], CellGrader]
    of_files: ComponentGrader[Any, Any] | None

    @classmethod
    def of(cls, run: Run, lesson: Lesson) -> "Graders":
        options = (None, run.out / "work", run.request.time_limit or 0.0)
        return cls(
            lesson,
            cache(lambda tag: student_notebook(run.course, lesson, language=tag or ENGLISH)),
            cache(lambda tag: CellGrader(lesson, run.secret, *options, language=tag)),
            lesson.hand_in.grader(lesson, "", *options) if lesson.hand_in else None,
        )


def judge(run: Run, submissions: list[Submission]) -> dict[str, list[Task]]:
    """The submissions by lesson, with what was found out about them; "" has those of no lesson."""
    ids = {lesson.id for lesson in run.lessons}
    without = [submission for submission in submissions if submission.lesson not in ids]
    tasks = {"": [_of_no_lesson(submission) for submission in without]}
    for lesson in run.lessons:
        of_lesson = [submission for submission in submissions if submission.lesson == lesson.id]
        if of_lesson:
            tasks[lesson.id] = _judge_lesson(run, lesson, of_lesson)
    return tasks


def _judge_lesson(run: Run, lesson: Lesson, submissions: list[Submission]) -> list[Task]:
    """Rebuild, run and judge; progress is shown for each of them."""
    lesson.hidden(run.secret)  # drawn here once: points and the judge ask for them
    graders = Graders.of(run, lesson)
    tasks, bar = [], run.terminal.bar
    step = bar.add_task(_("{lesson}: reading").format(lesson=lesson.id), total=len(submissions))
    for submission in submissions:
        tasks.append(_rebuild(graders, submission, run.recorder))
        bar.advance(step)
    waiting = [task for task in tasks if task.earns_grade and task.test_results is None]
    if waiting:
        description = _("{lesson}: running").format(lesson=lesson.id)
        bar.update(step, description=description, total=len(waiting), completed=0)
        for language in {task.result.language: None for task in waiting}:
            alike = [task for task in waiting if task.result.language == language]
            cells = [task.cells for task in alike]
            _run_all(run, graders.of_cells(language), alike, cells, step)
    if graders.of_files:
        _judge_files(run, graders.of_files, [task for task in tasks if task.earns_grade])
    for task in tasks:
        if task.earns_grade:
            _conclude(graders, task)
    return tasks


def _rebuild(graders: Graders, submission: Submission, recorder: Recorder) -> Task:
    """Read and rebuild a submission; with its test results, where an earlier run has judged it."""
    points = sum(graders.lesson.points().values())
    result = _without_tests(submission, points)
    try:
        rebuilt, passed_over = chosen(graders.lesson, graders.released, submission)
    except Problem as problem:
        return _unreadable(submission, problem, points)
    except Exception as error:  # whatever a file is made of, it must not stop the others
        remark = Remark("problem", "internal", {"reason": _brief(error)})
        return Task(replace(result, problem=remark, fault=remark.text))
    repairs = (*submission.repairs, *passed_over, *rebuilt.repairs)
    result = replace(result, repairs=repairs, version=rebuilt.version, language=rebuilt.language)
    grader = graders.of_cells(rebuilt.language)
    task = Task(result, rebuilt.cells, "", grader.remembered(rebuilt.cells))
    prose = [cell.source for cell in rebuilt.notebook.cells if cell.cell_type == "markdown"]
    key = digest(grader.key(rebuilt.cells), prose, [repair.text for repair in repairs])
    if result.submitted or result.late:  # feedback tells them
        key = digest(key, result.submitted, result.late)
    if graders.of_files:
        task.files = graders.of_files.submitted(submission.attachments)
        key = digest(key, graders.of_files.key(task.files))
    task.recording_key = key
    if not recorder.has_notebook(result, key):
        recorder.keep_rebuilt(result, rebuilt)
    return task


def _judge_files(run: Run, grader: ComponentGrader[Any, Any], tasks: list[Task]) -> None:
    """Judge what is handed in beside the notebooks."""
    waiting = []
    for task in tasks:
        remembered = grader.remembered(task.files)
        if remembered is None:
            waiting.append(task)
        else:
            task.test_results = [*(task.test_results or ()), *remembered]
    if waiting:
        description = _("{lesson}: judging what was handed in with the notebook")
        description = description.format(lesson=grader.lesson.id)
        step = run.terminal.bar.add_task(description, total=len(waiting))
        _run_all(run, grader, waiting, [task.files for task in waiting], step)


def _run_all(
    run: Run,
    grader: ComponentGrader[Submitted, Any],
    tasks: list[Task],
    submissions: list[Submitted],
    step: TaskID,
) -> None:
    """Run and judge what the tasks hand in; a fault of the grader is kept in the task."""
    submissions_judged = run.workers.judge(grader, submissions)
    with contextlib.closing(submissions_judged):
        for place, outcome in submissions_judged:
            task = tasks[place]
            if isinstance(outcome, Exception):
                task.result = replace(task.result, fault=_brief(outcome))
            else:
                task.test_results = [*(task.test_results or ()), *outcome]
            run.terminal.bar.advance(step)


def _conclude(graders: Graders, task: Task) -> None:
    """Put together what was found out about a submission; a fault leaves nothing to record."""
    grader, lost = graders.of_cells(task.result.language), lost_cells(task.result.repairs)
    with speaking(task.result.language):
        test_results = tuple(with_lost(task.test_results or (), lost))
    result = replace(
        task.result,
        test_results=test_results,
        repairs=(*task.result.repairs, *grader.left_out(task.cells)),
        remarks=tuple(grader.remarks(task.cells)),
    )
    if result.status == "grader_fault":
        messages = (
            test_result.message
            for test_result in result.test_results
            if test_result.status == "grader_fault"
        )
        result = faulty(result, graders.lesson, result.fault or next(messages, ""))
        task.recording_key = ""
    task.result, task.cells, task.files = result, [], None


def _of_no_lesson(submission: Submission) -> Task:
    """The task of what lies in no lesson's folder."""
    try:
        for _name, read in submission.notebooks:
            next(read(), b"")
    except Problem as problem:
        return _unreadable(submission, problem, 0.0)
    return _unreadable(submission, Problem("unknown_lesson", close=""), 0.0)


def _unreadable(submission: Submission, problem: Problem, points: float) -> Task:
    """The task of a submission that holds nothing to grade."""
    result = _without_tests(submission, points)
    return Task(replace(result, repairs=submission.repairs, problem=problem.remark))


def _without_tests(submission: Submission, points: float) -> SubmissionResult:
    """What is known of a submission before anything of it is judged."""
    return SubmissionResult(
        submission.student,
        submission.lesson,
        points,
        submitted=submission.submitted,
        late=submission.late,
        original=submission.original,
    )


def faulty(result: SubmissionResult, lesson: Lesson, fault: str) -> SubmissionResult:
    """The submission with the grader's fault in place of all its test results: none counts."""
    tests = [
        (component, test.name, test.points)
        for component, tests in lesson.any_hidden().items()
        for test in tests
    ]
    if lesson.hand_in:
        tests += [(lesson.hand_in.component, *test) for test in lesson.hand_in.tests.items()]
    test_results = tuple(
        TestResult(component, test, 0.0, points, "grader_fault", "", "")
        for component, test, points in tests
    )
    return replace(result, test_results=test_results, fault=fault)


def _brief(error: Exception) -> str:
    if isinstance(error, ExplainedFault):
        return str(error)
    lines = plain(f"{type(error).__name__}: {error}").strip().splitlines()
    return lines[0][:300]
