"""The step that brings the gradebook and the pages of feedback to what was judged and agreed."""

from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.reports.feedback import PageTexts, page_of_problem
from autograder.results.outdir import replace_file
from autograder.results.submission import SubmissionResult

from .agree_step import Agreement
from .run_context import Run
from .students import with_name
from .task import Task, faulty


def record(
    run: Run, agreement: Agreement, earlier: list[SubmissionResult]
) -> list[SubmissionResult]:
    """Record what was agreed to; all results of this run. What is recorded `earlier` is brought up
    to date."""
    if run.roster:
        run.recorder.save_students(run.roster)  # pages of feedback tell their names
    graded = [_record_without_grade(run, task.result) for task in agreement.tasks.get("", [])]
    for lesson in run.course.lessons:
        if lesson.id in agreement.tasks:
            graded += _recorded(run, lesson, agreement.tasks[lesson.id])
    if agreement.changes:
        run.terminal.changed(agreement.changes)
    graded += agreement.kept
    _refresh(run, graded, earlier, agreement)
    return graded


def _recorded(run: Run, lesson: Lesson, tasks: list[Task]) -> list[SubmissionResult]:
    """Bring the gradebook, and the pages of feedback, to what was judged."""
    run.recorder.prepare(run.course, lesson)
    graded, waiting, keys = [], [], {}
    for task in tasks:
        if not task.has_grade:
            graded.append(_record_without_grade(run, task.result))
        elif run.recorder.is_recorded(task.result, task.recording_key):
            run.recorder.update(task.result)
            graded.append(task.result)
        else:
            waiting.append(task.result)
            keys[task.result.student] = task.recording_key
    if not waiting:
        return graded
    description = _("{lesson}: recording").format(lesson=lesson.id)
    step = run.terminal.bar.add_task(description, total=2 * len(waiting))
    complaints = run.recorder.record(lesson, waiting, keys, lambda: run.terminal.bar.advance(step))
    if complaints:
        again = [result for result in waiting if result.student in complaints]
        complaints = run.recorder.record(lesson, again, keys, lambda: None)
    for one in waiting:
        if one.student in complaints:
            one = _record_without_grade(run, faulty(one, lesson, complaints[one.student]))
        graded.append(one)
    return graded


def _record_without_grade(run: Run, result: SubmissionResult) -> SubmissionResult:
    """Remember a result that gives no grade; one that was given before must not stand."""
    if run.recorder.known(*result.id) != result:
        run.recorder.withdraw(result)
    if result.problem:
        (shown,) = run.recorder.with_marks([result])
        shown = with_name(shown, run.roster) if run.roster else shown
        titles = {lesson.id: lesson.title for lesson in run.course.lessons}
        title = titles.get(result.lesson, result.lesson)
        page = page_of_problem(shown, PageTexts(title, timezone=run.course.timezone)).encode()
        path = run.recorder.feedback_path(result)
        if not path.is_file() or path.read_bytes() != page:
            replace_file(path, page)
    return result


def _refresh(
    run: Run,
    graded: list[SubmissionResult],
    earlier: list[SubmissionResult],
    agreement: Agreement,
) -> None:
    """Bring penalties up to date, and the pages that marks by hand have changed since."""
    untouched = set() if run.is_everything else {one.id for one in earlier}

    def stays(result: SubmissionResult) -> bool:
        return result in agreement.declined or result.id in untouched

    for lesson in run.course.lessons:
        own = [one for one in graded + earlier if one.lesson == lesson.id and one.test_results]
        if own:
            run.recorder.refresh(lesson, own, stays)
