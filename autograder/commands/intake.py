"""What `collect` and `grade` begin with: what counts is decided, copied, and put into a table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.language import _
from autograder.lms.file_names import came_astray
from autograder.lms.kept_worksheets import keep_if_clear, notes_on_wrong_worksheet
from autograder.lms.new_ids import new_ids
from autograder.lms.roster import ROSTER, Roster
from autograder.results.handed_in import HandedIn
from autograder.results.outdir import replace_file
from autograder.results.safe_names import shown
from autograder.results.submission import Submission, SubmissionId
from autograder.submissions.collect import Collected
from autograder.submissions.collected_folder import CollectedFolder, MayReplace, submissions_of

Move = Callable[[Mapping[SubmissionId, str]], None]  # gives submissions to ids of the roster


@dataclass(frozen=True)
class GivenRoster:
    """A roster, and the file if it is given now: it is kept in `home`, worksheets in a folder."""

    roster: Roster
    path: Path | None
    home: Path
    worksheets: Path


@dataclass(frozen=True)
class Intake:
    """The rows of what came, as they were decided; the submissions; and what is told of them."""

    rows: list[HandedIn]
    submissions: list[Submission]
    told: list[str]

    @property
    def is_whole(self) -> bool:
        """Whether all files could be copied."""
        return not any(row.problem and row.read for row in self.rows)


def take_in(
    collected: Collected,
    folder: CollectedFolder,
    given: GivenRoster | None,
    may_replace: MayReplace,
    move: Move = lambda ids: None,
    stays: bool = False,
) -> Intake:
    """Decide what counts, and copy it into a folder, unless it `stays` where it lies."""
    told: list[str] = []
    if given:
        if given.path:
            replace_file(given.home / ROSTER, given.path.read_bytes())
        ids = new_ids(given.roster, folder.table)
        move(ids)
        folder.rename(ids)
    before = folder.table
    if stays:
        rows, submissions = collected.rows, collected.submissions
        folder.note(rows)
    else:
        rows = folder.take(collected.rows, may_replace)
        submissions = submissions_of(folder.there(rows))
    message = _("{path} was not copied: {reason}")
    told += [
        message.format(path=shown(row.path), reason=row.note)
        for row in rows
        if row.problem and row.read
    ]
    if given and given.path:
        keep_if_clear(given.worksheets, given.path, given.roster, folder.table)
        told += notes_on_wrong_worksheet(given.path, given.roster, before, rows)
    return Intake(rows, submissions, told)


def told_of_strays(rows: list[HandedIn]) -> list[str]:
    """What does not count because the lesson's own submission does."""
    message = _(
        "{student}, {lesson}: a file handed in with {assignment} does not count; the lesson's own "
        "submission does."
    )
    return [
        message.format(student=row.student, lesson=row.lesson, assignment=row.assignment)
        for row in rows
        if came_astray(row) and not row.counts and row.read
    ]
