"""The command `collect`: sorts what was handed in into folders, and shows what maps where."""

import contextlib
import sys
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.prompt import Confirm

from autograder import files
from autograder.errors import WrongUsage
from autograder.language import _, ngettext
from autograder.lesson.course import read_course
from autograder.lms.kept_worksheets import (
    KEPT_COLLECTED,
    keep_if_clear,
    notes_on_wrong_worksheet,
    roster_in,
    untimed,
)
from autograder.lms.new_ids import new_ids
from autograder.lms.roster import ROSTER, require_known_students
from autograder.results.handed_in import COLLECTED, submissions_of
from autograder.results.outdir import require_apart
from autograder.results.safe_names import shown
from autograder.submissions.collect import collect, require_lessons
from autograder.submissions.collected_folder import CollectedFolder, Replacement
from autograder.submissions.collected_table import absent, show_absent, show_mapping, told_of
from autograder.submissions.sources.wrong_folder import holds_results


def run(
    source: Path, folder: Path, roster_file: Path | None, console: Console, yes: bool = False
) -> int:
    """The command: put what was handed in into DIR/<student>/<NN-name>/; the exit code."""
    target, given = folder.resolve(), source.resolve()
    if target == given or given in target.parents:
        raise WrongUsage(_("DIR must not lie inside SOURCE"))
    if folder.exists() and not folder.is_dir():
        raise WrongUsage(_("{path} is a file; DIR is a folder"), path=folder)
    if folder.exists() and holds_results({path.name for path in folder.iterdir()}):
        raise WrongUsage(
            _("{path} is a folder of results; expected another one, for what is handed in"),
            path=folder,
        )  # fmt: skip
    course = read_course()
    zone = course.timezone
    roster = roster_in(folder, zone, roster_file)
    found = collect(source, course.lessons, roster=roster)
    require_lessons(found, course.lessons, source)
    collected = CollectedFolder(folder)
    if roster and not yes:
        may_miss = partial(_agrees, console, question=_("Collect with this roster?"))
        require_known_students(roster, roster_file or folder / ROSTER, found.students, may_miss)
    collected.rename(new_ids(roster, collected.before) if roster else {})
    agreed = True

    def may_replace(replacements: list[Replacement]) -> bool:
        nonlocal agreed
        unclear = [one for one in replacements if not one.is_older]  # the table tells the others
        if not unclear:
            return True
        for message in told_of(unclear):
            console.print(message, markup=False, soft_wrap=True)
        agreed = yes or _agrees(console, "", question=_("Collect these in their place?"))
        return agreed

    found.rows = collected.decided(found.rows, may_replace)
    show_mapping(found, console, folder / COLLECTED)
    require_apart(folder, [row.student for row in found.rows])
    failed = collected.write(found.rows)
    there = set(submissions_of(collected.before))
    if roster:
        handed_in = {lesson for _student, lesson in there}
        lessons = [lesson.id for lesson in course.lessons if lesson.id in handed_in]
        show_absent(absent(there, lessons, roster), console)
    if roster_file:
        files.replace(folder / ROSTER, roster_file.read_bytes())
    told = untimed(found.rows, course.lessons)
    if roster and roster_file:
        keep_if_clear(folder / KEPT_COLLECTED, roster_file, roster, found.rows)
        told += notes_on_wrong_worksheet(roster_file, roster, (), found.rows)
    for message in told:
        console.print(message, style="yellow", markup=False, soft_wrap=True)
    submissions = len(there)
    students = len({student for student, _lesson in there})
    of_students = ngettext("{count} student", "{count} students", students).format(count=students)
    message = ngettext(
        "{count} submission of {students} is in {path}. To grade it: autograder grade {path} "
        "--out OUT",
        "{count} submissions of {students} are in {path}. To grade them: autograder grade {path} "
        "--out OUT",
        submissions,
    )
    message = message.format(count=submissions, students=of_students, path=folder)
    console.print(message, markup=False, soft_wrap=True)
    for path, reason in failed:
        message = _("{path} was not copied: {reason}").format(path=shown(path), reason=reason)
        console.print(message, style="red", markup=False, soft_wrap=True)
    return 1 if failed or not agreed else 0


def _agrees(console: Console, message: str, question: str) -> bool:
    """Ask a question, below a message; no where nobody can answer."""
    if console.is_terminal and sys.stdin.isatty():
        if message:
            console.print(f"{message}.", markup=False, soft_wrap=True)
        with contextlib.suppress(EOFError):
            return Confirm.ask(question, console=console, default=False)
    return False
