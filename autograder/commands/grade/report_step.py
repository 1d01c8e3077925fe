"""The step that tells what is recorded: messages, the tables, the page on the class."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from autograder.lms.kept_worksheets import untimed
from autograder.lms.roster import Roster
from autograder.reports.report import write_report
from autograder.results.outdated_points import outdated_points
from autograder.results.remarks import Remark
from autograder.results.submission import SubmissionId, SubmissionResult
from autograder.results.tables import write_tables

from .judge_step import Run


def report(run: Run, results: list[SubmissionResult], left_out: Collection[SubmissionId]) -> None:
    """Tell all that is recorded of everybody; `results` have their marks.

    Of those `left_out`, there is something that was not recorded.
    """
    known = names_of((result.student for result in results), run.roster)
    strangers = run.deadlines.strangers(set(known))
    if strangers and run.is_everything:
        run.terminal.strangers(strangers, known, run.roster is not None)
    told = untimed(run.rows, run.course.lessons) + outdated_points(results, run.course.lessons)
    run.terminal.at_end(told)
    run.terminal.waiting(sum(one.marks.waiting for one in results))
    absent = run.recorder.with_marks(_absent(run, results, left_out))
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


def names_of(students: Iterable[str], roster: Roster | None) -> dict[str, str]:
    """All who are known, by id: their names, where the roster tells them."""
    names = dict.fromkeys(students, "")
    return names | ({student.id: student.name for student in roster.students} if roster else {})


def with_name(result: SubmissionResult, roster: Roster) -> SubmissionResult:
    """The result with what the roster says of the student."""
    student = roster.by_id.get(result.student)
    return replace(result, name=student.name, section=student.section) if student else result
