"""The folder that `autograder collect` writes: what counts, and all that was collected before."""

import csv
from dataclasses import replace
from pathlib import Path

from autograder import files
from autograder.language import _
from autograder.lms.match_recorded_results import came_astray, is_newer
from autograder.results.outdir import below
from autograder.results.remarks import Problem
from autograder.results.safe_names import safe_file_name
from autograder.results.submission import Submission

from .collect import COLLECTED, EARLIER, TIMESTAMP, Collected, Mapped
from .collected_table import COLUMNS, mapping_csv, rows_of


class CollectedFolder:
    """A folder that is collected into, with what was collected there before."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.rows: list[dict[str, str]] = []
        index = folder / COLLECTED
        if index.is_file():
            with open(index, newline="", encoding="utf-8-sig") as file:
                self.rows = [
                    {name: row.get(name) or "" for name in COLUMNS} for row in csv.DictReader(file)
                ]

    def put(self, found: Collected) -> list[tuple[str, object]]:
        """Copy what was found; the paths that could not be copied, with the reason."""
        failed: list[tuple[str, object]] = []
        rows = rows_of(found)
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
            self._write(row, content, earlier=older or not row.counts)
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

    def _write(self, row: Mapped, content: bytes, earlier: bool) -> None:
        place = self._place(row)
        if earlier:
            self._keep(place, safe_file_name(row.file), content)
            return
        path = below(place, safe_file_name(row.file))
        if path.is_file() and (before := path.read_bytes()) != content:
            self._keep(place, path.name, before)
        files.replace(path, content)
        stamp = place / TIMESTAMP
        if row.submitted:
            files.replace(stamp, row.submitted.encode())
        else:
            stamp.unlink(missing_ok=True)

    def _keep(self, place: Path, name: str, content: bytes) -> None:
        """Keep an earlier attempt under a number of its own, unless it is kept already."""
        number = 1
        while (path := below(place, EARLIER, str(number), name)).is_file():
            if path.read_bytes() == content:
                return
            number += 1
        files.replace(path, content)
