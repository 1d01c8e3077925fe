"""The folder that is collected into: what counts, and all that was collected before.

A newer attempt takes the place of an older one, which is kept in `earlier/`. Where nothing tells
which is newer, somebody is asked.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from autograder.language import _
from autograder.lms.attempts import came_astray, is_newer
from autograder.results.handed_in import COLLECTED, HandedIn, merged, rows_in, table_of
from autograder.results.outdir import CannotWrite, below, replace_file
from autograder.results.remarks import Problem
from autograder.results.safe_names import safe_file_name
from autograder.results.submission import SubmissionId
from transformer_workbook.lessons.translation.hand_in import LARGEST as LARGEST_ATTACHMENT

from .collect import EARLIER, SECRET, TIMESTAMP
from .sources.entries import scan
from .sources.find import is_exported, is_notebook

Failed = list[tuple[str, object]]  # paths that could not be copied, with the reason


@dataclass(frozen=True)
class Replacement:
    """An attempt beside the one before, which is not known to be newer; or is known to be older."""

    now: HandedIn
    before: HandedIn
    is_older: bool = False


MayReplace = Callable[[list[Replacement]], bool]


class CollectedFolder:
    """A folder of students' folders, with the table of what was collected, `before` this time.

    The table lies in the folder, or in `table_in`. Raises WrongUsage where it is another table.
    """

    def __init__(self, folder: Path, table_in: Path | None = None):
        self.folder, self._table = folder, (table_in or folder) / COLLECTED
        self.before = rows_in(self._table.parent)

    def decided(self, rows: Iterable[HandedIn], may_replace: MayReplace) -> list[HandedIn]:
        """The rows, of which only those count that are newer than what was collected before.

        Those of which that is not known count if `may_replace` agrees. Nothing is written yet.
        """
        rows = list(rows)
        by_id = _counted_in(rows)
        decided: dict[SubmissionId, list[HandedIn]] = {}
        unclear, older = list[Replacement](), list[Replacement]()
        for id, attempt in by_id.items():
            before = self._counted.get(id, [])
            decided[id] = attempt
            if same := self._same(attempt, before):
                decided[id] = [
                    row if row.submitted else replace(row, submitted=same.submitted, late=same.late)
                    for row in attempt
                ]
            elif before:
                newer = _is_newer(attempt, before)
                if newer is None:
                    unclear.append(Replacement(attempt[0], before[0]))
                elif not newer:
                    decided[id] = [_earlier(row) for row in attempt]
                    if not came_astray(attempt[0]):
                        older.append(Replacement(attempt[0], before[0], is_older=True))
        if (unclear or older) and not may_replace(unclear + older):
            note = _("it may be older than what counts")
            for one in unclear:
                decided[one.now.id] = [
                    replace(row, counts=False, note=note) for row in by_id[one.now.id]
                ]
        return [decided[row.id].pop(0) if row.counts else row for row in rows]

    @cached_property
    def _counted(self) -> dict[SubmissionId, list[HandedIn]]:
        """What was collected before and counts."""
        return _counted_in(self.before)

    def _same(self, attempt: list[HandedIn], before: list[HandedIn]) -> HandedIn | None:
        """A row of the very same files, one with a time where there is one."""
        known = {row.original for row in before}
        if all(row.original in known and self._has(row) for row in attempt):
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

    def write(self, rows: list[HandedIn]) -> Failed:
        """Copy files, and write the table; what could not be copied. Raises CannotWrite."""
        try:
            return self._copied(rows)
        except OSError as error:
            raise CannotWrite.found_in(error, self.folder) or error from error

    def _copied(self, rows: list[HandedIn]) -> Failed:
        failed: Failed = []
        again = {
            id
            for id, attempt in _counted_in(rows).items()
            if self._same(attempt, self._counted.get(id, []))
        }
        names: dict[SubmissionId, set[str]] = {}  # of the files of each new attempt
        for row in rows:
            if row.read is None:
                if row.student and row.lesson:
                    self._place(row).mkdir(parents=True, exist_ok=True)
                continue
            try:
                content = b"".join(row.read())
            except Problem as problem:
                failed.append((row.path, problem))
                continue
            if not row.counts:
                self._keep(self._place(row), safe_file_name(row.file), content)
                continue
            self._write(row, content, row.id in again)
            names.setdefault(row.id, set()).add(safe_file_name(row.file))
        for id in names.keys() - again:
            self._set_aside(below(self.folder, *id), names[id])
        self.note(rows)
        return failed

    def note(self, rows: list[HandedIn]) -> None:
        """Write rows into the table; those before of the same submissions do not count then."""
        counted = _counted_in(rows)
        before = [_earlier(row) if row.counts and row.id in counted else row for row in self.before]
        self._replace_table(merged(rows, before))

    def _replace_table(self, rows: list[HandedIn]) -> None:
        self.before = rows
        self.__dict__.pop("_counted", None)
        replace_file(self._table, table_of(rows))

    def rename(self, ids: Mapping[SubmissionId, str]) -> None:
        """Give submissions to other students' ids, in the folder and in the table."""
        for (student, lesson), id in ids.items():
            old, new = (below(self.folder, who, lesson) for who in (student, id))
            if old.is_dir() and not new.exists():
                new.parent.mkdir(parents=True, exist_ok=True)
                old.rename(new)
            if old.parent.is_dir() and not any(old.parent.iterdir()):
                old.parent.rmdir()
        if ids:
            renamed = (replace(row, student=ids.get(row.id, row.student)) for row in self.before)
            self._replace_table(merged(renamed, ()))

    def _place(self, row: HandedIn) -> Path:
        return below(self.folder, row.student, row.lesson)

    def _write(self, row: HandedIn, content: bytes, is_again: bool) -> None:
        place = self._place(row)
        path = below(place, safe_file_name(row.file))
        if row.file != TIMESTAMP:  # what it says is in `submitted`
            if path.is_file() and (before := path.read_bytes()) != content:
                self._keep(place, path.name, before)
            replace_file(path, content)
        stamp = place / TIMESTAMP
        if self._is_by_hand(row, stamp):
            if is_again:
                return
            self._keep(place, TIMESTAMP, stamp.read_bytes())
        if row.submitted:
            replace_file(stamp, row.submitted.encode())
        else:
            stamp.unlink(missing_ok=True)

    def _is_by_hand(self, row: HandedIn, stamp: Path) -> bool:
        """Whether the instructor wrote when it was handed in: the guide advises it for Canvas."""
        known = {old.submitted.encode() for old in self._counted.get(row.id, ())}
        return stamp.is_file() and stamp.read_bytes() not in known

    def _set_aside(self, place: Path, new: set[str]) -> None:
        """Keep what an earlier attempt left and would be graded with the new one's files."""
        for entry in scan(place):
            counts = is_notebook(entry) or is_exported(entry)
            counts |= entry.name in LARGEST_ATTACHMENT or entry.name == SECRET
            if counts and entry.kind == "file" and entry.name not in new:
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


def _counted_in(rows: Iterable[HandedIn]) -> dict[SubmissionId, list[HandedIn]]:
    """The rows that count, by submission."""
    found: dict[SubmissionId, list[HandedIn]] = {}
    for row in rows:
        if row.counts:
            found.setdefault(row.id, []).append(row)
    return found


def _is_newer(attempt: list[HandedIn], before: list[HandedIn]) -> bool | None:
    """Whether an attempt takes the place of the one before; None where nothing tells.

    What came with another lesson's assignment never takes the place of the lesson's own.
    """
    last = max(attempt, key=lambda row: row.attempt)
    if came_astray(last) != came_astray(before[0]):
        return came_astray(before[0])
    newer = [is_newer(last, row) for row in before]
    return False if False in newer else None if None in newer else True


def _earlier(row: HandedIn) -> HandedIn:
    return replace(row, counts=False, note=_("an earlier attempt"))
