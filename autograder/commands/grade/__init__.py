"""Grades what was handed in: collect, rebuild, run, judge, agree, record, report.

Each step is remembered in OUT/work, so a run that was stopped resumes where it stopped.
Submissions run side by side; all that concerns nbgrader happens in one thread.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from autograder.commands.intake import GivenRoster, take_in, told_of_strays
from autograder.commands.request import Request, checked
from autograder.errors import WrongUsage
from autograder.grading.run.cluster import Cluster
from autograder.grading.run.confinement_note import ConfinementNote
from autograder.grading.run.local import LocalWorkers
from autograder.language import _
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson
from autograder.lms.kept_worksheets import KEPT, keep_collected, roster_in
from autograder.lms.new_ids import require_same_class
from autograder.lms.roster import ROSTER, require_known_students
from autograder.nbgrader.recorder import Recorder
from autograder.reports.terminal import Terminal, progress_bar, show
from autograder.results.extensions import read_deadlines
from autograder.results.handed_in import COLLECTED
from autograder.results.outdir import (
    alone,
    load_or_create_secret,
    read_secret,
    require_apart,
    save_secret,
)
from autograder.results.saved_results import all_results
from autograder.results.submission import Submission, SubmissionId, SubmissionResult
from autograder.sandbox.choose_sandbox import choose
from autograder.submissions.collect import collect, require_lessons
from autograder.submissions.collected_folder import CollectedFolder

from .judge_step import Run, Task, judge
from .record_step import agree, record
from .report_step import names_of, report


def run(request: Request, console: Console) -> int:
    """Grade, with a progress bar and a table at the end; the exit code."""
    if request.sandbox == "none":
        warning = _("Students' code runs unconfined, with your own rights (--sandbox none).")
        console.print(warning, style="yellow", markup=False)
    with progress_bar(console) as bar:
        terminal = Terminal(request.yes, console, bar, request.out)
        course = read_course()
        graded = grade(request, terminal, course)
    show(graded, course, request.out, console, terminal.answers_waiting)
    terminal.show_at_end()
    if not graded:
        console.print(_("Nothing was graded: nothing that was asked for was handed in."))
    faults = any(result.status == "grader_fault" for result in graded)
    return 1 if faults or not graded or terminal.was_kept or terminal.was_misnamed else 0


def grade(
    request: Request,
    terminal: Terminal | None = None,
    course: Course | None = None,
) -> list[SubmissionResult]:
    """Grade, and write all results; what is recorded of every submission of this run.

    No recorded score is changed before all submissions are judged and somebody has agreed at the
    `terminal`, should one drop. Raises WrongUsage for what cannot be done, CannotWrite where OUT
    cannot be written.
    """
    course = course or read_course()
    lessons, out = checked(request, course)
    roster_file = _roster_file(request, out)
    roster = roster_in(out, course.timezone, roster_file, request.submitted)
    collected = collect(request.submitted, course.lessons, roster)
    is_everything = not (request.lesson or request.student)
    if is_everything:
        require_lessons(collected, course.lessons, request.submitted)
    terminal = terminal or Terminal(request.yes)
    folder = folder_in(out)
    if roster:
        path = roster_file or out / ROSTER
        if roster_file and (kept := roster_in(out, course.timezone)):
            require_same_class(roster, path, kept, out / ROSTER, folder.table)
        require_known_students(roster, path, collected.students, terminal.may_miss)
    if not request.scheduler:
        choose(request.sandbox)  # where none works, nothing is written
    only = lessons[0].id if request.lesson else ""
    collected = collected.only(request.student, only, request.submitted)
    with alone(out):
        # A table, or an answer, that refuses the run comes before the first file that it writes.
        recorded = list(all_results(out / "work"))
        known = {result.student for result in recorded} | collected.students
        deadlines = read_deadlines(out, course, names_of(known, roster))
        secret = chosen_secret(request.secret, out, terminal)
        require_apart(out / "work", known)
        recorder = Recorder(out, secret, deadlines, request.time_limit or 0.0)

        def move(ids: Mapping[SubmissionId, str]) -> None:
            recorder.move(ids)
            terminal.moved({student: id for (student, _lesson), id in ids.items()})

        given = GivenRoster(roster, roster_file, out, out / KEPT) if roster else None
        stays = collected.layout == "students" and request.submitted.is_dir()
        intake = take_in(collected, folder, given, terminal.may_replace, move, stays)
        terminal.collected(replace(collected, rows=intake.rows))
        keep_collected(request.submitted, out)
        terminal.at_end(intake.told + told_of_strays(intake.rows))
        with _workers(request, out) as workers:
            this_run = Run(request, course, out, secret, deadlines, recorder, workers,
                           terminal, folder.table, roster)  # fmt: skip
            return _all_steps(this_run, intake.submissions, lessons)


def folder_in(out: Path) -> CollectedFolder:
    """What was collected into OUT. Raises WrongUsage for an OUT of another version."""
    if any(all_results(out / "work")) and not (out / COLLECTED).is_file():
        raise WrongUsage(
            _("{path} holds results and no {file}: another version of the grader made it. Grade "
              "into a new OUT"),
            path=out, file=COLLECTED,
        )  # fmt: skip
    return CollectedFolder(out / "collected", out)


def _roster_file(request: Request, out: Path) -> Path | None:
    """The roster that is given, or that `collect` was given if OUT has none of an earlier run."""
    beside = request.submitted / ROSTER
    is_new = beside.is_file() and not (out / ROSTER).is_file()
    return request.roster or (beside if is_new else None)


def chosen_secret(given: str, out: Path, terminal: Terminal) -> str:
    """The secret of the hidden inputs: the one that OUT was graded with first.

    Another one is taken, and kept, only if somebody agrees: all submissions are judged on other
    inputs then. Raises WrongUsage where nobody does.
    """
    kept, graded = read_secret(out), any(all_results(out / "work"))
    if kept and given in ("", kept):
        return kept
    if not given:
        if graded:
            raise WrongUsage(
                _("{path} was graded with a secret that is not kept in it; give the same --seed "
                  "once more, and it will be kept"),
                path=out,
            )  # fmt: skip
        return load_or_create_secret(out)
    if kept and graded and not terminal.may_change_secret():
        raise WrongUsage(
            _("{path} was graded with another secret. To continue with that one, leave out --seed; "
              "to judge all submissions on other inputs, add --yes"),
            path=out,
        )  # fmt: skip
    return save_secret(out, given)


def _workers(request: Request, out: Path) -> LocalWorkers | Cluster:
    """Where students' code runs, as a context manager."""
    confined = ConfinementNote(out / "work").add
    if request.scheduler:
        return Cluster(request.scheduler, request.sandbox, confined)
    hidden = [request.submitted.resolve(), out]
    return LocalWorkers(request.sandbox, request.jobs, hidden, confined)


def _all_steps(
    run: Run, submissions: list[Submission], lessons: list[Lesson]
) -> list[SubmissionResult]:
    tasks = judge(run, lessons, submissions)  # nothing is recorded yet
    earlier = _not_come_across(run, tasks)
    _tell_missing(run, earlier, {lesson for lesson, own in tasks.items() if lesson and own})
    agreement = agree(run, tasks, earlier)
    graded = run.recorder.with_marks(record(run, agreement, earlier))
    report(run, graded + run.recorder.with_marks(earlier), agreement.left_out)
    return graded


def _not_come_across(run: Run, tasks: dict[str, list[Task]]) -> list[SubmissionResult]:
    """What is recorded of submissions that this run does not come across."""
    new = {task.result.id for own in tasks.values() for task in own}
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
