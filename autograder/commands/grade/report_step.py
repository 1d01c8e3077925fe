"""The step that tells what is recorded: messages, the tables, the page on the class."""

from collections.abc import Collection

from autograder.lms.kept_worksheets import untimed
from autograder.reports.report import write_report
from autograder.results.outdated_points import outdated_points
from autograder.results.remarks import Remark
from autograder.results.submission import SubmissionId, SubmissionResult
from autograder.results.tables import write_tables

from .prepare import Run, names_of, with_name
from .record_step import Agreement


def report(run: Run, graded: list[SubmissionResult], agreement: Agreement) -> None:
    """Tell all that is recorded of everybody; those `graded` have their marks."""
    results = graded + run.recorder.with_marks(agreement.earlier)
    names = names_of((result.student for result in results), run.roster)
    run.terminal.at_end(run.told)
    strangers = run.deadlines.strangers(set(names))
    if strangers and run.is_everything:
        run.terminal.strangers(strangers, names, run.roster is not None)
    told = untimed(run.folder.table, run.course.lessons)
    told += outdated_points(results, run.course.lessons)
    run.terminal.at_end(told)
    run.terminal.waiting(sum(result.marks.waiting for result in results))
    absent = run.recorder.with_marks(_absent(run, results, agreement.left_out))
    if absent:
        run.terminal.absent(absent)
    _write(run, results, absent, told)


def _write(
    run: Run,
    results: list[SubmissionResult],
    absent: list[SubmissionResult],
    told: list[str],
) -> None:
    """Write the tables and the report. `told` are messages for the report's top."""
    if run.roster:
        results = [with_name(result, run.roster) for result in results + absent]
    write_tables(run.out, results, list(run.course.lessons))
    write_report(run.out, results, run.course, told, run.roster is not None)


def _absent(
    run: Run, graded: list[SubmissionResult], left_out: Collection[SubmissionId]
) -> list[SubmissionResult]:
    """A row for each of the class and each lesson that only others handed in."""
    there = {result.id for result in graded} | set(left_out)
    # As they are recorded: not the course's where a change of them was declined.
    points = {result.lesson: result.max_score for result in graded}
    points |= {result.lesson: result.max_score for result in graded if result.test_results}
    nothing = Remark("problem", "not_handed_in")
    return [
        SubmissionResult(student.id, lesson.id, points[lesson.id], problem=nothing)
        for lesson in run.course.lessons
        if lesson.id in points
        for student in (run.roster.students if run.roster else ())
        if (student.id, lesson.id) not in there
    ]
