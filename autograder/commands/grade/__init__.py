"""Grades what was handed in: collect, rebuild, run, judge, agree, record, report.

Each step is remembered in OUT/work, so a run that was stopped resumes where it stopped.
Submissions run side by side; all that concerns nbgrader happens in one thread.
"""

from dataclasses import replace
from pathlib import Path

from rich.console import Console

from autograder.commands.request import Request
from autograder.language import _
from autograder.lesson.course import Course, read_course
from autograder.lms.kept_worksheets import keep_collected
from autograder.reports.terminal import Terminal, progress_bar, show
from autograder.results.handed_in import COLLECTED
from autograder.results.submission import Submission, SubmissionResult
from autograder.submissions.collect import (
    Collected,
    collect,
    require_known_students,
    require_lessons,
)
from autograder.submissions.collected_table import not_copied, show_mapping, told_of_strays
from autograder.submissions.read_notebook import get_ready

from .judge_step import judge
from .prepare import Run, Setting, started
from .record_step import agree, record, report


def grade_command(request: Request, console: Console) -> int:
    """Grade, with a progress bar and a table at the end; the exit code."""
    if request.sandbox == "none":
        warning = _("Students' code runs unconfined, with your own rights (--sandbox none).")
        console.print(warning, style="yellow", markup=False)
    get_ready()
    with progress_bar(console) as bar:
        terminal = Terminal(request.yes, console, bar)
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
    setting = Setting.of(request, course, terminal or Terminal(request.yes))
    return _grade(request.submitted, setting)


def _grade(submitted: Path, setting: Setting) -> list[SubmissionResult]:
    """The path of all that was submitted, from a folder or a zip to the tables."""
    collected = _collect(submitted, setting)
    with started(setting, collected.students) as run:
        submissions = _take(collected, run)
        tasks = judge(run, submissions)  # nothing is recorded yet
        agreement = agree(run, tasks)
        graded = record(run, agreement)
        report(run, graded, agreement)
    return graded


def _collect(submitted: Path, setting: Setting) -> Collected:
    """What is asked for of what was submitted. Raises WrongUsage where that is not to be graded."""
    request, lessons, given = setting.request, setting.course.lessons, setting.given
    collected = collect(submitted, lessons, setting.roster, setting.course.timezone)
    if setting.is_everything:
        require_lessons(collected, lessons, submitted)
    if given:
        require_known_students(given.roster, given.path, collected, setting.terminal.may_miss)
    lesson = setting.lessons[0].id if request.lesson else ""
    return collected.only(request.student, lesson, submitted)


def _take(collected: Collected, run: Run) -> list[Submission]:
    """Put what counts beside what was collected before, unless it lies in students' folders."""
    folder = run.folder
    stays = collected.layout == "students" and run.request.submitted.is_dir()
    submissions = folder.take_in(collected.rows, run.terminal.may_replace, stays)
    if collected.is_told:
        decided = replace(collected, rows=folder.taken)
        show_mapping(decided, run.terminal.console, run.out / COLLECTED)
    run.told.extend(not_copied(folder.taken))
    if run.given:
        run.told.extend(run.given.keep_worksheet(folder))
    run.told.extend(told_of_strays(folder.taken))
    keep_collected(run.request.submitted, run.out)
    return submissions
