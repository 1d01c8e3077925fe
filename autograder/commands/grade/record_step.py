"""The step that asks before a recorded score drops, and records what was judged and agreed to.

The gradebook and the pages of feedback are brought up to date; then the messages, the tables and
the page on the class tell all that is recorded.
"""

from collections.abc import Collection
from dataclasses import dataclass

from autograder.files import replace_file
from autograder.grading.score_changes import Declined, ScoreChange, ask, score_change
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lms.kept_worksheets import untimed
from autograder.reports.feedback import PageTexts, page_of_problem
from autograder.reports.report import write_report
from autograder.results.outdated_points import outdated_points
from autograder.results.remarks import Remark
from autograder.results.submission import SubmissionId, SubmissionResult
from autograder.results.tables import write_tables

from .judge_step import Task, faulty
from .prepare import Run, named_by_roster, names_of


@dataclass(frozen=True)
class Agreement:
    """What is to be recorded, by lesson, with the changes of scores that this makes.

    `earlier` results are recorded of submissions that this run did not come across.
    `kept` are the recorded results of what was `declined`, `left_out` those of the declined that
    nothing is recorded of.
    """

    tasks: dict[str, list[Task]]
    earlier: list[SubmissionResult]
    changes: list[ScoreChange]
    kept: list[SubmissionResult]
    left_out: frozenset[SubmissionId]
    declined: Declined


def agree(run: Run, tasks: dict[str, list[Task]]) -> Agreement:
    """Ask about all that needs agreement; the penalties of earlier results do, too."""
    earlier = _not_come_across(run, tasks)
    here = {lesson for lesson, of_lesson in tasks.items() if lesson and of_lesson}
    _tell_missing(run, earlier, here)
    all_tasks = [task for of_lesson in tasks.values() for task in of_lesson]
    changes = [change for task in all_tasks if (change := _score_change(run, task))]
    if run.is_everything:  # what lateness costs may have changed for these, too
        changes += [change for same in earlier if (change := _change_of(run, same, same))]
    lessons = {lesson.id: lesson for lesson in run.course.lessons}

    def has_changed(lesson: str) -> bool:
        return lesson in lessons and run.recorder.has_changed(lessons[lesson])

    declined = ask(changes, has_changed, run.terminal.may_drop)
    if declined.submissions:
        drops = [change for change in changes if change.drops]
        run.terminal.declined(drops, sorted(declined.lessons))
    refused = [task.result for task in all_tasks if task.result in declined]
    kept = [recorded for result in refused if (recorded := run.recorder.known(*result.id))]
    left_out = frozenset(result.id for result in refused) - {result.id for result in kept}
    agreed = {
        lesson: [task for task in of_lesson if task.result not in declined]
        for lesson, of_lesson in tasks.items()
        if lesson not in declined.lessons
    }
    changes = [change for change in changes if change not in declined]
    return Agreement(agreed, earlier, changes, kept, left_out, declined)


def _not_come_across(run: Run, tasks: dict[str, list[Task]]) -> list[SubmissionResult]:
    """What is recorded of submissions that this run does not come across."""
    new = {task.result.id for of_lesson in tasks.values() for task in of_lesson}
    lessons = {lesson.id for lesson in run.course.lessons}
    return [
        result
        for result in run.recorder.all_known()
        if result.id not in new
        # What was no lesson may have been put right since.
        and (not run.is_everything or result.lesson in lessons)
    ]


def _tell_missing(run: Run, earlier: list[SubmissionResult], here: set[str]) -> None:
    """Tell of results whose submissions are there no more, and of those without a gradebook.

    Lessons `here` were handed in.
    """
    if not run.is_everything:
        return
    if earlier:
        run.terminal.not_handed_in(earlier, here)
    tested = [result for result in earlier if result.test_results]
    if lost := sum(not run.recorder.in_gradebook(result) for result in tested):
        run.terminal.not_in_gradebook(lost)


def _score_change(run: Run, task: Task) -> ScoreChange | None:
    """How a score changes; None where the run that was stopped had agreed to it already."""
    before = run.recorder.known(*task.result.id)
    if before and run.recorder.is_half_recorded(task.result, task.recording_key):
        return None
    return _change_of(run, before, task.result) if before else None


def _change_of(run: Run, before: SubmissionResult, after: SubmissionResult) -> ScoreChange | None:
    """How the total changes, with what lateness cost until now and what it costs from now."""
    recorded = run.recorder.as_recorded(before)
    return score_change(recorded, run.recorder.as_foreseen(after))


def record(run: Run, agreement: Agreement) -> list[SubmissionResult]:
    """Record what was agreed to; all results of this run, with their marks.

    What was recorded earlier is brought up to date.
    """
    if run.roster:
        run.recorder.save_students(run.roster)  # pages of feedback tell their names
    graded = [_record_without_grade(run, task.result) for task in agreement.tasks.get("", [])]
    for lesson in run.course.lessons:
        if lesson.id in agreement.tasks:
            graded += _recorded(run, lesson, agreement.tasks[lesson.id])
    if agreement.changes:
        run.terminal.changed(agreement.changes)
    graded += agreement.kept
    _refresh(run, graded, agreement)
    return run.recorder.with_marks(graded)


def _recorded(run: Run, lesson: Lesson, tasks: list[Task]) -> list[SubmissionResult]:
    """Bring the gradebook, and the pages of feedback, to what was judged."""
    run.recorder.prepare(run.course, lesson)
    graded, waiting, keys = [], [], {}
    for task in tasks:
        if not task.earns_grade:
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
    for result in waiting:
        if result.student in complaints:
            result = faulty(result, lesson, complaints[result.student])
            result = _record_without_grade(run, result)
        graded.append(result)
    return graded


def _record_without_grade(run: Run, result: SubmissionResult) -> SubmissionResult:
    """Remember a result that gives no grade; one that was given before must not stand."""
    if run.recorder.known(*result.id) != result:
        run.recorder.withdraw(result)
    if result.problem:
        (shown,) = run.recorder.with_marks([result])
        shown = named_by_roster(shown, run.roster) if run.roster else shown
        titles = {lesson.id: lesson.title for lesson in run.course.lessons}
        title = titles.get(result.lesson, result.lesson)
        page = page_of_problem(shown, PageTexts(title, timezone=run.course.timezone)).encode()
        path = run.recorder.feedback_path(result)
        if not path.is_file() or path.read_bytes() != page:
            replace_file(path, page)
    return result


def _refresh(run: Run, graded: list[SubmissionResult], agreement: Agreement) -> None:
    """Bring penalties up to date, and the pages that marks by hand have changed since."""
    earlier = agreement.earlier
    untouched = set() if run.is_everything else {result.id for result in earlier}

    def stays(result: SubmissionResult) -> bool:
        return result in agreement.declined or result.id in untouched

    for lesson in run.course.lessons:
        of_lesson = [
            result
            for result in graded + earlier
            if result.lesson == lesson.id and result.test_results
        ]
        if of_lesson:
            run.recorder.refresh(lesson, of_lesson, stays)


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
    run: Run, results: list[SubmissionResult], absent: list[SubmissionResult], told: list[str]
) -> None:
    """Write the tables and the report. `told` are messages for the report's top."""
    if run.roster:
        results = [named_by_roster(result, run.roster) for result in results + absent]
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
    absence = Remark("problem", "not_handed_in")
    return [
        SubmissionResult(student.id, lesson.id, points[lesson.id], problem=absence)
        for lesson in run.course.lessons
        if lesson.id in points
        for student in (run.roster.students if run.roster else ())
        if (student.id, lesson.id) not in there
    ]
