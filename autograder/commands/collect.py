"""The command `collect`: sorts what was handed in into folders, and shows what maps where."""

import shlex
from collections.abc import Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

from rich.console import Console

from autograder.errors import WrongUsage
from autograder.language import _, ngettext
from autograder.lesson.course import read_course
from autograder.lms.kept_worksheets import KEPT_COLLECTED, roster_in, untimed
from autograder.reports.terminal import Terminal
from autograder.results.handed_in import COLLECTED
from autograder.results.outdir import require_apart
from autograder.results.submission import SubmissionId
from autograder.submissions.collect import collect, require_known_students, require_lessons
from autograder.submissions.collected_folder import CollectedFolder, Replacement
from autograder.submissions.collected_table import (
    absent,
    not_copied,
    show_absent,
    show_mapping,
    told_of,
)
from autograder.submissions.sources.find import holds_results

from .given_roster import GivenRoster


def collect_command(
    source: Path, folder: Path, roster_file: Path | None, console: Console, yes: bool = False
) -> int:
    """The command: put what was handed in into DIR/<student>/<NN-name>/; the exit code."""
    target, given_source = folder.resolve(), source.resolve()
    if target == given_source or given_source in target.parents:
        raise WrongUsage(_("DIR must not lie inside SOURCE"))
    if folder.exists() and not folder.is_dir():
        raise WrongUsage(_("{path} is a file; DIR is a folder"), path=folder)
    if folder.exists() and holds_results({path.name for path in folder.iterdir()}):
        raise WrongUsage(
            _("{path} is a folder of results; expected another one, for what is handed in"),
            path=folder,
        )  # fmt: skip
    course, terminal = read_course(), Terminal(console=console)
    roster = roster_in(folder, course.timezone, roster_file)
    collected = collect(source, course.lessons, roster, course.timezone)
    require_lessons(collected, course.lessons, source)
    into = CollectedFolder(folder)
    given: GivenRoster | None = None
    if roster:
        given = GivenRoster(roster, roster_file, folder, folder / KEPT_COLLECTED)
        if not yes:
            may_miss = partial(terminal.may_miss, question=_("Collect with this roster?"))
            require_known_students(roster, given.path, collected, may_miss)
    require_apart(folder, collected.students)
    agreed = True

    def may_replace(replacements: list[Replacement]) -> bool:
        nonlocal agreed
        unclear = [replacement for replacement in replacements if not replacement.is_older]
        for message in told_of(unclear):  # the table tells the others
            console.print(message, markup=False, soft_wrap=True)
        question = _("Collect these in their place?")
        agreed = not unclear or yes or terminal.agrees(question)
        return agreed

    if given:
        given.adopt(into)
    into.take_in(collected.rows, may_replace)
    told = untimed(into.taken, course.lessons) + not_copied(into.taken)
    if given:
        told += given.keep_worksheet(into)
    show_mapping(replace(collected, rows=into.taken), console, folder / COLLECTED)
    there = {row.id for row in into.table if row.student and row.lesson}
    if roster:
        handed_in = {lesson for _student, lesson in there}
        lessons = [lesson.id for lesson in course.lessons if lesson.id in handed_in]
        show_absent(absent(there, lessons, roster), console)
    for message in told:
        console.print(message, style="yellow", markup=False, soft_wrap=True)
    console.print(_conclusion(there, folder), markup=False, soft_wrap=True)
    return 0 if into.is_whole and agreed else 1


def _conclusion(there: Collection[SubmissionId], folder: Path) -> str:
    students = len({student for student, _lesson in there})
    of_students = ngettext("{count} student", "{count} students", students).format(count=students)
    message = ngettext(
        "{count} submission of {students} is in {path}. To grade it: autograder grade {quoted} "
        "--out OUT",
        "{count} submissions of {students} are in {path}. To grade them: autograder grade {quoted} "
        "--out OUT",
        len(there),
    )
    quoted = shlex.quote(str(folder))
    return message.format(count=len(there), students=of_students, path=folder, quoted=quoted)
