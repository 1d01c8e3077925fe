"""The folder that `autograder collect` writes: what counts, and all that was collected before."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder import files
from autograder.language import _
from autograder.lms.match_recorded_results import came_astray, is_newer
from autograder.results.outdir import below
from autograder.results.remarks import Problem
from autograder.results.safe_names import safe_file_name
from autograder.results.submission import Submission
from transformer_workbook.lessons.translation.hand_in import LARGEST as LARGEST_ATTACHMENT

from .collect import COLLECTED, EARLIER, SECRET, TIMESTAMP, Collected, Mapped
from .collected_rows import COLUMNS, read_rows
from .collected_table import mapping_csv, rows_of
from .sources.entries import scan
from .sources.find import is_exported, is_notebook


@dataclass
class _Attempt:
    """The names of the files of a submission that counts now, and whether any of them is new."""

    files: set[str] = field(default_factory=set)
    is_newer: bool = False


class CollectedFolder:
    """A folder that is collected into, with what was collected there before.

    Raises WrongUsage where the table of that is another.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.rows: list[dict[str, str]] = []
        index = folder / COLLECTED
        if index.is_file():
            self.rows = [
                {name: row[name] for name in COLUMNS}
                for row in read_rows(index.read_bytes(), index)
            ]

    def put(self, found: Collected) -> list[tuple[str, object]]:
        """Copy what was found; the paths that could not be copied, with the reason."""
        failed: list[tuple[str, object]] = []
        rows = rows_of(found)
        attempts: dict[Path, _Attempt] = {}
        for row, values in zip(found.rows, rows, strict=True):
            if row.read is None:
                if row.student and row.lesson:
                    self._place(row).mkdir(parents=True, exist_ok=True)
                continue
            try:
                content = b"".join(row.read())
            except Problem as problem:
                failed.append((row.path, problem))
                continue
            if before := self._same(row, content):
                row = replace(row, submitted=before["submitted"], late=bool(before["late"]))
                values |= {"submitted": row.submitted, "late": before["late"]}
            older = self._is_older(row)
            if older:
                values["counts"], values["note"] = "", _("an earlier attempt")
            if older or not row.counts:
                self._keep(self._place(row), safe_file_name(row.file), content)
                continue
            attempt = attempts.setdefault(self._place(row), _Attempt())
            attempt.files.add(safe_file_name(row.file))
            is_again = self._is_again(row, content)
            attempt.is_newer |= not is_again
            self._write(row, content, is_again)
        for place, attempt in attempts.items():
            if attempt.is_newer:
                self._set_aside(place, attempt.files)
        new = {(row["student"], row["lesson"], row["file"]) for row in rows}
        counted = {(row["student"], row["lesson"]) for row in rows if row["counts"]}
        for old in self.rows:
            if (old["student"], old["lesson"], old["file"]) not in new:
                if old["counts"] and (old["student"], old["lesson"]) in counted:
                    old |= {"counts": "", "note": _("an earlier attempt")}
                rows.append(old)
        rows.sort(key=lambda row: (row["student"], row["lesson"], not row["counts"], row["file"]))
        files.replace(self.folder / COLLECTED, mapping_csv(rows))
        self.rows = rows
        return failed

    def with_times(self, found: Collected) -> list[Submission]:
        """The submissions, with the times that are known of them after all."""
        known = {(row["student"], row["lesson"]): row for row in self.rows if row["counts"]}
        return [
            replace(one, submitted=known.get(one.id, {}).get("submitted", ""))
            for one in found.submissions
        ]

    def _collected(self, row: Mapped) -> list[dict[str, str]]:
        """What was collected before of the submission, and counts."""
        own = (row.student, row.lesson)
        return [
            old for old in self.rows if (old["student"], old["lesson"]) == own and old["counts"]
        ]

    def _same(self, row: Mapped, content: bytes) -> dict[str, str] | None:
        """The row of the very same file, which was collected with a time that now is unknown."""
        path = below(self._place(row), safe_file_name(row.file))
        if row.submitted or not path.is_file() or path.read_bytes() != content:
            return None
        known = (old for old in self._collected(row) if old["submitted"])
        return next((old for old in known if old["original"] == row.original), None)

    def _is_older(self, row: Mapped) -> bool:
        """Whether what was collected before was handed in after this, or this is a stray."""
        is_stray = came_astray(row.original, row.lesson, row.assignment)
        for old in self._collected(row):
            if is_stray != came_astray(old["original"], old["lesson"], old["assignment"]):
                return is_stray
            newer = is_newer(row.submitted, row.original, old["submitted"], old["original"])
            if newer is False:
                return True
        return False

    def _place(self, row: Mapped) -> Path:
        return below(self.folder, row.student, row.lesson)

    def _is_again(self, row: Mapped, content: bytes) -> bool:
        """Whether the very same file counts already. Of a timestamp, its text is never the same."""
        path = below(self._place(row), safe_file_name(row.file))
        known = any(old["original"] == row.original for old in self._collected(row))
        is_same = row.file == TIMESTAMP or (path.is_file() and path.read_bytes() == content)
        return known and is_same

    def _write(self, row: Mapped, content: bytes, is_again: bool) -> None:
        place = self._place(row)
        path = below(place, safe_file_name(row.file))
        if row.file != TIMESTAMP:  # what it says is in `submitted`
            if path.is_file() and (before := path.read_bytes()) != content:
                self._keep(place, path.name, before)
            files.replace(path, content)
        stamp = place / TIMESTAMP
        if self._is_by_hand(row, stamp):
            if is_again:
                return
            self._keep(place, TIMESTAMP, stamp.read_bytes())
        if row.submitted:
            files.replace(stamp, row.submitted.encode())
        else:
            stamp.unlink(missing_ok=True)

    def _is_by_hand(self, row: Mapped, stamp: Path) -> bool:
        """Whether the instructor wrote when it was handed in: the guide advises it for Canvas."""
        known = {old["submitted"].encode() for old in self._collected(row)}
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
        files.replace(path, content)
