"""The first step of `grade`: what was handed in as submissions, and OUT's table of all that came.

A folder of students' folders is graded as it lies there. Everything else is collected into
OUT/collected, which is such a folder, as `collect` would.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.course import Course
from autograder.lms.attempts import came_astray
from autograder.lms.roster import Roster
from autograder.results.handed_in import COLLECTED, HandedIn
from autograder.results.saved_results import all_results
from autograder.results.submission import Submission
from autograder.submissions.collect import Collected, collect
from autograder.submissions.collected_folder import CollectedFolder, MayReplace

FOLDER = "collected"  # in OUT


def folder_in(out: Path) -> CollectedFolder:
    """What was collected into OUT. Raises WrongUsage for an OUT of another version."""
    if any(all_results(out / "work")) and not (out / COLLECTED).is_file():
        raise WrongUsage(
            _("{path} holds results and no {file}: another version of the grader made it. Grade "
              "into a new OUT"),
            path=out, file=COLLECTED,
        )  # fmt: skip
    return CollectedFolder(out / FOLDER, out)


@dataclass(frozen=True)
class Intake:
    """The submissions that came, with a row of each file, and what is told of them."""

    submissions: list[Submission]
    rows: list[HandedIn]
    told: list[str]


def take_in(
    found: Collected,
    source: Path,
    folder: CollectedFolder,
    course: Course,
    roster: Roster | None,
    may_replace: MayReplace,
    show: Callable[[Collected], None],
    is_everything: bool = True,
) -> Intake:
    """Decide what counts, `show` it, and write it into OUT.

    Unless `is_everything`, only what is of the submissions that were asked for.
    """
    if not is_everything:
        wanted = {submission.id for submission in found.submissions}
        found.rows = [row for row in found.rows if row.id in wanted]
    if found.layout == "students" and source.is_dir():
        show(found)
        folder.note(found.rows)
        return Intake(found.submissions, found.rows, [])
    found.rows = folder.decided(found.rows, may_replace)
    show(found)
    failed = folder.write(found.rows)
    came = {row.id for row in found.rows}
    problems = {row.id for row in found.rows if row.read is None}
    submissions = [one for one in found.submissions if one.id in problems]
    if came - problems:
        there = collect(folder.folder, course.lessons, roster=roster, table=folder.before)
        submissions += [one for one in there.submissions if one.id in came - problems]
    submissions.sort(key=lambda submission: submission.id)
    told = [
        _("{path} was not copied: {reason}").format(path=path, reason=reason)
        for path, reason in failed
    ]
    return Intake(submissions, found.rows, told + _told_of_strays(found.rows))


def _told_of_strays(rows: list[HandedIn]) -> list[str]:
    message = _(
        "{student}, {lesson}: a file handed in with {assignment} does not count; the lesson's own "
        "submission does."
    )
    return [
        message.format(student=row.student, lesson=row.lesson, assignment=row.assignment)
        for row in rows
        if came_astray(row) and not row.counts and row.read
    ]
