"""What was handed in: a row for each file that may be an answer; their table is collected.csv.

Whose a file is, of which lesson, when it came and whether it counts is decided when it is
collected. Later steps read this table.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from autograder.errors import WrongUsage
from autograder.language import _

from .remarks import Problem
from .safe_names import encodable
from .submission import Read, SubmissionId
from .tables import read_table, table_csv, text_in, unescaped

COLLECTED = "collected.csv"  # in OUT, and in a folder that was collected into


@dataclass(frozen=True)
class HandedIn:
    """What became of one file: whose it is, of which lesson, or why it was passed over.

    `path` is that in the source, and `counts` whether it is graded. `source` is who gave it:
    canvas, moodle, exchange, files or students; `name`, `lms_id` and `attempt` are what that calls
    the student and counts. `original` is the path in what an LMS gave, empty elsewhere.
    `assignment` is the lesson of the assignment that it was handed in with, where that is another.
    `read` gives its bytes in pieces, and `file` is its name beside the notebook. `problem` is why
    nothing of the submission can be graded.
    """

    path: str
    student: str = ""
    lesson: str = ""
    submitted: str = ""
    late: bool = False
    counts: bool = False
    note: str = ""
    original: str = ""
    assignment: str = ""
    source: str = "students"
    name: str = ""
    lms_id: str = ""
    attempt: int = 0
    file: str = field(default="", compare=False)
    read: Read | None = field(default=None, compare=False)
    problem: Problem | None = field(default=None, compare=False)

    @property
    def id(self) -> SubmissionId:
        return self.student, self.lesson

    @property
    def handed_in_with(self) -> str:
        """The lesson of the assignment that it was handed in with."""
        return self.assignment or self.lesson


COLUMNS = ("student", "lesson", "file", "submitted", "late", "counts", "original", "note",
           "assignment", "source", "name", "lms_id", "attempt")  # fmt: skip


def table_of(rows: Iterable[HandedIn]) -> str:
    """The table as CSV."""
    return table_csv(COLUMNS, (
        (row.student, row.lesson, encodable(row.path), row.submitted, "late" if row.late else "",
         "yes" if row.counts else "", encodable(row.original), row.note, row.assignment,
         row.source, encodable(row.name), row.lms_id, row.attempt or "")
        for row in rows
    ))  # fmt: skip


def read_handed_in(content: bytes, path: object) -> list[HandedIn]:
    """The rows of a table, with whatever separates its columns.

    Raises WrongUsage for another table: without what it tells, an older attempt would count.
    """
    header, *rows = list(read_table(text_in(content, path))) or [[]]
    if missing := [name for name in COLUMNS if name not in header]:
        raise WrongUsage(
            _("{path}: its first line is {line!r}, without {missing}; expected the columns "
              "{columns}, as this version of `collect` writes them"),
            path=path, line=",".join(header), missing=", ".join(missing),
            columns=", ".join(COLUMNS),
        )  # fmt: skip
    return [_row(dict(zip(header, values, strict=False))) for values in rows]


def _row(cells: dict[str, str]) -> HandedIn:
    cell = dict.fromkeys(COLUMNS, "") | {name: unescaped(text) for name, text in cells.items()}
    return HandedIn(
        cell["file"], cell["student"], cell["lesson"], cell["submitted"], bool(cell["late"]),
        bool(cell["counts"]), cell["note"], cell["original"], cell["assignment"], cell["source"],
        cell["name"], cell["lms_id"], int(cell["attempt"]) if cell["attempt"].isdigit() else 0,
    )  # fmt: skip


def rows_in(folder: Path) -> list[HandedIn]:
    """The rows of the table in a folder; none where it has no table. Raises WrongUsage."""
    path = folder / COLLECTED
    return read_handed_in(path.read_bytes(), path) if path.is_file() else []


def a_row_of_each(rows: Iterable[HandedIn]) -> dict[SubmissionId, HandedIn]:
    """A row of each submission: one that counts, where there is any."""
    of_lessons = [row for row in rows if row.student and row.lesson]
    return {row.id: row for row in sorted(of_lessons, key=lambda row: row.counts)}


def merged(rows: Iterable[HandedIn], before: Iterable[HandedIn]) -> list[HandedIn]:
    """A table with these rows instead of those before of the same files."""
    by_file = {(*row.id, encodable(row.path), row.counts): row for row in (*before, *rows)}
    return sorted(by_file.values(), key=lambda row: (*row.id, not row.counts, encodable(row.path)))
