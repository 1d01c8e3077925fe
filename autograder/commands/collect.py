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
from autograder.lms.roster import ROSTER, require_known_students
from autograder.results.outdir import require_apart
from autograder.results.safe_names import shown
from autograder.submissions.collect import COLLECTED, collect, require_lessons
from autograder.submissions.collected_folder import CollectedFolder
from autograder.submissions.collected_table import absent, show_absent, show_mapping
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
    show_mapping(found, console, folder / COLLECTED)
    if roster and not yes:
        may_miss = partial(_may_miss, console)
        require_known_students(roster, roster_file or folder / ROSTER, found.students, may_miss)
    require_apart(folder, [row.student for row in found.rows])
    collected = CollectedFolder(folder)
    failed = collected.put(found)
    there = {(row["student"], row["lesson"]) for row in collected.rows if row["lesson"]}
    if roster:
        handed_in = {lesson for _student, lesson in there}
        lessons = [lesson.id for lesson in course.lessons if lesson.id in handed_in]
        show_absent(absent(there, lessons, roster), console)
    if roster_file:
        files.replace(folder / ROSTER, roster_file.read_bytes())
    told = untimed(collected.with_times(found), course.lessons)
    if roster and roster_file:
        keep_if_clear(folder / KEPT_COLLECTED, roster_file, roster, found.submissions)
        told += notes_on_wrong_worksheet(roster_file, roster, (), found.submissions)
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
    return 1 if failed else 0


def _may_miss(console: Console, message: str) -> bool:
    """Ask whether to collect with a roster that lacks most students; no where nobody can answer."""
    if console.is_terminal and sys.stdin.isatty():
        console.print(f"{message}.", markup=False, soft_wrap=True)
        with contextlib.suppress(EOFError):
            return Confirm.ask(_("Collect with this roster?"), console=console, default=False)
    return False
