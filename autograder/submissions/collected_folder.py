"""The folder that is collected into: what counts, and all that was collected before.

Of the rows of what counts, `submissions_of` makes submissions.

A newer attempt takes the place of an older one, which is kept in `earlier/`. Where nothing tells
which is newer, somebody is asked.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from autograder.files import CannotWrite, replace_file
from autograder.language import _
from autograder.lms.file_names import came_astray, layout_of
from autograder.results.handed_in import COLLECTED, HandedIn, merged, rows_in, table_of
from autograder.results.remarks import Problem, Remark
from autograder.results.safe_names import below, encodable, safe_file_name, shown
from autograder.results.submission import Read, Submission, SubmissionId

from .notebook_as_submitted import LARGEST_FILE
from .sources.entries import reader, scan, whole
from .sources.find import (
    EARLIER,
    SECRET,
    TIMESTAMP,
    is_called_exported,
    is_called_notebook,
    time_in,
)

MOST_NOTEBOOKS = 20  # of one student in one lesson
OF_ANOTHER = "of_another"  # the remark that it was handed in with another lesson's assignment


@dataclass(frozen=True)
class Replacement:
    """An attempt beside the one before, which is not known to be newer; or is known to be older."""

    now: HandedIn
    before: HandedIn
    is_older: bool = False


MayReplace = Callable[[list[Replacement]], bool]
Decide = Callable[[HandedIn], HandedIn]  # whether a row counts, after all


class CollectedFolder:
    """A folder of students' folders, with the `table` of all that was ever collected.

    The table lies in the folder, or in `table_in`; before anything was `taken` in, it was `before`.
    Raises WrongUsage where it is another table.
    """

    def __init__(self, folder: Path, table_in: Path | None = None):
        self.folder, self._path = folder, (table_in or folder) / COLLECTED
        self.table = self.before = rows_in(self._path.parent)
        self.taken: list[HandedIn] = []

    @property
    def is_whole(self) -> bool:
        """Whether all files could be copied."""
        return not any(row.problem and row.read for row in self.taken)

    def take_in(
        self, rows: list[HandedIn], may_replace: MayReplace, stays: bool = False
    ) -> list[Submission]:
        """Copy what is newer than what was collected before, unless it `stays` where it lies.

        The rows that were `taken` are as they were decided then. What is not known to be newer
        counts if `may_replace` agrees. A file that cannot be copied has a row with the problem.
        Raises CannotWrite.
        """
        self.before = self.table
        if stays:
            self._note(rows)
            return submissions_of(rows)
        attempts, before = _counted_in(rows), _counted_in(self.table)
        again = {
            id: same
            for id, attempt in attempts.items()
            if (same := self._same(attempt, before.get(id, [])))
        }
        decisions: dict[SubmissionId, Decide] = {
            id: partial(_at_the_time_of, same) for id, same in again.items()
        }
        decisions |= _replacements(
            {id: attempt for id, attempt in attempts.items() if id in before.keys() - again.keys()},
            before,
            may_replace,
        )
        rows = [decisions.get(row.id, _as_it_is)(row) if row.counts else row for row in rows]
        try:
            rows = [self._copied(row, row.id in again, before.get(row.id, [])) for row in rows]
            for id, attempt in _counted_in(rows).items():
                if id not in again:
                    self._set_aside(below(self.folder, *id), attempt)
            self._note(rows, again)
        except OSError as error:
            raise CannotWrite.found_in(error, self.folder) or error from error
        return submissions_of(self._there(rows))

    def _note(self, rows: list[HandedIn], again: Container[SubmissionId] = ()) -> None:
        """Write rows into the table; those before of the same submissions do not count then.

        What came `again` under the same path has one row, not another as its own earlier attempt.
        """
        self.taken, counted = rows, _counted_in(rows)
        same = {(*row.id, encodable(row.path)) for row in rows if row.counts and row.id in again}
        before = [
            _earlier(row)
            if row.counts and row.id in counted and (*row.id, row.path) not in same
            else row
            for row in self.table
        ]
        self._replace_table(merged(rows, before))

    def _there(self, rows: Iterable[HandedIn]) -> list[HandedIn]:
        """What the folder now has of the submissions of these rows; a problem where it has none."""
        rows, counted = list(rows), _counted_in(self.table)
        there = [row for row in rows if row.problem and not (row.read and row.id in counted)]
        broken = {row.id for row in there}
        for id in {row.id: None for row in rows if row.id in counted.keys() - broken}:
            files = scan(below(self.folder, *id))
            times = [time_in(entry) for entry in files if entry.name == TIMESTAMP]
            row = replace(counted[id][0], submitted=next(iter(times), counted[id][0].submitted))
            there += [
                replace(row, file=entry.name, read=reader(entry, LARGEST_FILE))
                for entry in files
                if entry.kind == "file" and entry.name not in (TIMESTAMP, SECRET)
            ]
        return there

    def rename(self, ids: Mapping[SubmissionId, str]) -> None:
        """Give submissions to other students' ids, in the folder and in the table."""
        for (student, lesson), id in ids.items():
            old, new = (below(self.folder, name, lesson) for name in (student, id))
            if old.is_dir() and not new.exists():
                new.parent.mkdir(parents=True, exist_ok=True)
                old.rename(new)
            if old.parent.is_dir() and not any(old.parent.iterdir()):
                old.parent.rmdir()
        if ids:
            renamed = (replace(row, student=ids.get(row.id, row.student)) for row in self.table)
            self._replace_table(merged(renamed, ()))

    def _replace_table(self, rows: list[HandedIn]) -> None:
        self.table = rows
        replace_file(self._path, table_of(rows))

    def _place(self, row: HandedIn) -> Path:
        return below(self.folder, row.student, row.lesson)

    # What is there already.

    def _same(self, attempt: list[HandedIn], before: list[HandedIn]) -> HandedIn | None:
        """A row of the very same files, one with a time where there is one."""
        originals = {row.original for row in before}
        if all(row.original in originals and self._has(row) for row in attempt):
            return next((row for row in before if row.submitted), before[0] if before else None)
        return None

    def _has(self, row: HandedIn) -> bool:
        """Whether this very file is there. Of a timestamp, its text is never the same."""
        path = below(self._place(row), safe_file_name(row.file))
        try:
            return row.file == TIMESTAMP or (
                path.is_file() and row.read is not None
                and path.read_bytes() == b"".join(row.read())
            )  # fmt: skip
        except Problem:
            return False

    # Copying.

    def _copied(self, row: HandedIn, is_again: bool, before: list[HandedIn]) -> HandedIn:
        """The row, with the problem for which its file could not be copied."""
        if row.read is None:
            if row.student and row.lesson:
                self._place(row).mkdir(parents=True, exist_ok=True)
            return row
        try:
            content = b"".join(row.read())
        except Problem as problem:
            return replace(row, counts=False, note=str(problem), problem=problem)
        if row.counts:
            self._put(row, content)
            self._put_time(row, is_again, before)
        else:
            self._keep(self._place(row), safe_file_name(row.file), content)
        return row

    def _put(self, row: HandedIn, content: bytes) -> None:
        path = below(self._place(row), safe_file_name(row.file))
        if row.file != TIMESTAMP:  # what it says is in `submitted`
            if path.is_file() and (before := path.read_bytes()) != content:
                self._keep(path.parent, path.name, before)
            replace_file(path, content)

    def _put_time(self, row: HandedIn, is_again: bool, before: list[HandedIn]) -> None:
        """Write when it was handed in.

        What the instructor wrote, as the guide advises for Canvas, stays with the same attempt.
        """
        stamp = self._place(row) / TIMESTAMP
        ours = {earlier.submitted for earlier in [*before, row]}
        if stamp.is_file() and stamp.read_text(errors="replace") not in ours:
            if is_again:
                return
            self._keep(stamp.parent, TIMESTAMP, stamp.read_bytes())
        if row.submitted:
            replace_file(stamp, row.submitted)
        else:
            stamp.unlink(missing_ok=True)

    def _set_aside(self, place: Path, attempt: list[HandedIn]) -> None:
        """Keep what would be graded with a new attempt's files: an earlier one left it."""
        new = {TIMESTAMP, *(safe_file_name(row.file) for row in attempt)}
        for entry in scan(place):
            if entry.kind == "file" and entry.name not in new:
                path = below(place, entry.name)
                self._keep(place, entry.name, path.read_bytes())
                path.unlink()

    def _keep(self, place: Path, name: str, content: bytes) -> None:
        """Keep an earlier attempt under a number of its own, unless it is kept already."""
        number = 1
        while (path := below(place, EARLIER, str(number), name)).is_file():
            if path.read_bytes() == content:
                return
            number += 1
        replace_file(path, content)


def _replacements(
    attempts: dict[SubmissionId, list[HandedIn]],
    before: dict[SubmissionId, list[HandedIn]],
    may_replace: MayReplace,
) -> dict[SubmissionId, Decide]:
    """What becomes of attempts that are not newer than those that counted before."""
    unclear, older = list[Replacement](), list[Replacement]()
    decisions: dict[SubmissionId, Decide] = {}
    for id, attempt in attempts.items():
        newer = _is_newer(attempt, before[id])
        if newer is None:
            unclear.append(Replacement(attempt[0], before[id][0]))
        elif not newer:
            decisions[id] = _earlier
            if not came_astray(attempt[0]):
                older.append(Replacement(attempt[0], before[id][0], is_older=True))
    if (unclear or older) and not may_replace(unclear + older):
        decisions |= {replacement.now.id: _maybe_older for replacement in unclear}
    return decisions


def _is_newer(attempt: list[HandedIn], before: list[HandedIn]) -> bool | None:
    """Whether an attempt takes the place of the one before; None where nothing tells.

    What came with another lesson's assignment never takes the place of the lesson's own.
    """
    last = max(attempt, key=lambda row: row.attempt)
    if came_astray(last) != came_astray(before[0]):
        return came_astray(before[0])
    newer = [_came_later(last, row) for row in before]
    return False if False in newer else None if None in newer else True


def _came_later(now: HandedIn, before: HandedIn) -> bool | None:
    """Whether something was handed in after what was `before`; None where nothing tells.

    A worksheet has one time for whatever zip it is given with, so an equal time may be that of
    another attempt.
    """
    is_numbered = layout_of(now).numbers_uploads and now.source == before.source
    if is_numbered and now.attempt and before.attempt:
        return now.attempt >= before.attempt
    may_be_another = now.submitted == before.submitted and layout_of(now).has_worksheet
    if now.submitted and before.submitted and not may_be_another:
        return now.submitted >= before.submitted
    return None if before.submitted else True


def _counted_in(rows: Iterable[HandedIn]) -> dict[SubmissionId, list[HandedIn]]:
    """The rows that count, by submission."""
    by_id: dict[SubmissionId, list[HandedIn]] = {}
    for row in rows:
        if row.counts:
            by_id.setdefault(row.id, []).append(row)
    return by_id


def _as_it_is(row: HandedIn) -> HandedIn:
    return row


def _at_the_time_of(same: HandedIn, row: HandedIn) -> HandedIn:
    return row if row.submitted else replace(row, submitted=same.submitted, late=same.late)


def _earlier(row: HandedIn) -> HandedIn:
    return replace(row, counts=False, note=_("an earlier attempt"))


def _maybe_older(row: HandedIn) -> HandedIn:
    return replace(row, counts=False, note=_("it may be older than what counts"))


def submissions_of(rows: Iterable[HandedIn]) -> list[Submission]:
    """A submission of the rows that count; where none does, one with the problem of the first."""
    by_id: dict[SubmissionId, list[HandedIn]] = {}
    for row in rows:
        if row.counts or row.problem:
            by_id.setdefault(row.id, []).append(row)
    return [_submission(rows_of_one) for _id, rows_of_one in sorted(by_id.items())]


def _submission(rows: list[HandedIn]) -> Submission:
    """Raises nothing: reading its notebooks raises Problem where they cannot be read."""
    rows = [row for row in rows if row.counts] or rows[:1]
    first, name = rows[0], rows[0].lesson.partition("-")[2] + ".ipynb"
    answers = [row for row in rows if is_called_notebook(row.file)]
    answers = answers or [row for row in rows if is_called_exported(row.file)]
    answers.sort(key=lambda row: (row.file != name, row.file))
    submission = Submission(
        first.student,
        first.lesson,
        tuple((shown(row.file), row.read) for row in answers if row.read),
        _repairs(answers, name),
        {row.file: whole(row.read) for row in rows if row.read and row not in answers},
        first.submitted,
        first.late,
        first.original,
    )
    problem = first.problem
    if len(answers) > MOST_NOTEBOOKS:
        problem = Problem("too_many_notebooks", limit=MOST_NOTEBOOKS)
    if problem:
        return replace(submission, notebooks=(("", _raising(problem)),), repairs=())
    return submission


def _repairs(answers: list[HandedIn], name: str) -> tuple[Remark, ...]:
    """What was put right in how the answers were handed in; `name` is the one expected."""
    repairs = []
    if len(answers) == 1 and answers[0].file != name:
        details = {"file": shown(answers[0].file), "name": name}
        repairs.append(Remark("repair", "renamed", details))
    last = max(answers, key=lambda row: (row.attempt, row.path), default=None)
    if last and last.assignment:
        details = {"found": last.lesson, "usual": last.assignment}
        repairs.append(Remark("repair", OF_ANOTHER, details))
    return tuple(repairs)


def _raising(problem: Problem) -> Read:
    def read() -> Iterator[bytes]:
        raise problem

    return read
