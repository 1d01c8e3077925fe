"""One submission on its way: read and rebuilt, then concluded, or what is wrong with it."""

from dataclasses import dataclass, field, replace

from autograder.grading.grade_translator import TranslatorFault, TranslatorFiles, inspect_files
from autograder.grading.run.grader import with_lost
from autograder.judging.judge import TestResult
from autograder.lesson.lesson import Lesson
from autograder.nbgrader.recorder import Recorder
from autograder.results.outdir import digest
from autograder.results.remarks import Problem, Remark, lost_cells
from autograder.results.safe_names import plain
from autograder.results.submission import Submission, SubmissionResult
from autograder.sandbox.job import Cell
from autograder.submissions.choose_notebook import chosen

from .graders import Graders


@dataclass
class Task:
    """One submission on its way.

    `result` is what is known so far. `cells` are kept until they have run. `recording_key` is a
    hash of all that is to be recorded, empty where there is no grade. `files` are handed in beside
    the notebook.
    """

    result: SubmissionResult
    cells: list[Cell] = field(default_factory=list)
    recording_key: str = ""
    test_results: list[TestResult] | None = None
    files: TranslatorFiles | None = None

    @property
    def has_grade(self) -> bool:
        return bool(self.recording_key)


def rebuilt_task(graders: Graders, submission: Submission, recorder: Recorder) -> Task:
    """Read and rebuild a submission; with its test results, where an earlier run has judged it."""
    lesson, grader = graders.lesson, graders.grader
    points = sum(lesson.points().values())
    try:
        rebuilt, passed_over = chosen(lesson, graders.released(), submission)
    except Problem as problem:
        return _unreadable(submission, problem, points)
    except Exception as error:  # whatever a file is made of, it must not stop the others
        remark = Remark("problem", "internal", {"reason": brief(error)})
        return Task(replace(_without_tests(submission, points), problem=remark, fault=remark.text))
    repairs = (*submission.repairs, *passed_over, *rebuilt.repairs)
    result = replace(_without_tests(submission, points), repairs=repairs, version=rebuilt.version)
    task = Task(result, rebuilt.cells, test_results=grader.remembered(rebuilt.cells))
    if graders.translator:
        task.files = inspect_files(submission.attachments)
    prose = [cell.source for cell in rebuilt.notebook.cells if cell.cell_type == "markdown"]

    def recording_key(result: SubmissionResult) -> str:
        found = digest(grader.key(rebuilt.cells), prose, [repair.text for repair in repairs])
        if result.submitted or result.late:  # feedback tells them
            found = digest(found, result.submitted, result.late)
        if graders.translator and task.files is not None:
            found = digest(found, graders.translator.key(task.files))
        return found

    task.recording_key = recording_key(result)
    if not recorder.has_notebook(result, task.recording_key):
        recorder.keep_rebuilt(result, rebuilt)
    return task


def conclude(graders: Graders, task: Task) -> None:
    """Put together what was found out about a submission; a fault leaves nothing to record."""
    result = replace(
        task.result,
        test_results=tuple(with_lost(task.test_results or (), lost_cells(task.result.repairs))),
        repairs=(*task.result.repairs, *graders.grader.left_out(task.cells)),
        remarks=tuple(graders.grader.remarks(task.cells)),
    )
    if result.status == "grader_fault":
        messages = (one.message for one in result.test_results if one.status == "grader_fault")
        result = faulty(result, graders.lesson, result.fault or next(messages, ""))
        task.recording_key = ""
    task.result, task.cells = result, []


def of_no_lesson(submission: Submission) -> Task:
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
    if lesson.translator:
        tests += [(lesson.translator.component, *test) for test in lesson.translator.tests.items()]
    test_results = tuple(
        TestResult(component, test, 0.0, points, "grader_fault", "", "")
        for component, test, points in tests
    )
    return replace(result, test_results=test_results, fault=fault)


def brief(error: Exception) -> str:
    if isinstance(error, TranslatorFault):
        return str(error)
    lines = plain(f"{type(error).__name__}: {error}").strip().splitlines()
    return lines[0][:300]
