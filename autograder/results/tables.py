"""grades.csv and summary.csv."""

import csv
import io
import math
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autograder.errors import WrongUsage
from autograder.files import replace_file
from autograder.language import _
from autograder.lesson.lesson import Lesson

from .submission import SubmissionResult

GRADES = (
    "student", "lesson", "component", "test", "score", "max_score", "status", "misconception",
    "message",
)  # fmt: skip
SUMMARY = (
    "student", "lesson", "score", "max_score", "status", "repairs", "message", "submitted", "late",
    "name", "section", "due", "total", "max_total", "prose", "by_hand", "penalty", "waiting",
    "version",
)  # fmt: skip


def write_tables(out: Path, graded: list[SubmissionResult], lessons: list[Lesson]) -> None:
    """Write both tables, sorted by student, lesson and the notebook's order."""
    ordered = in_order(graded, lessons)
    rows = [
        (result.student, result.lesson, test.component, test.test,
         "" if test.status == "grader_fault" else test.score, test.max_score, test.status,
         test.misconception, test.text)
        for result in ordered for test in result.counted
    ]  # fmt: skip
    replace_file(out / "grades.csv", table_csv(GRADES, rows))
    summary = [
        (result.student, result.lesson, result.score,
         result.max_score, result.status,
         " ".join(repair.text for repair in result.repairs), result.message,
         result.submitted, "late" if result.is_late else "", result.name, result.section,
         result.due, result.total, result.max_total, result.marks.prose, result.marks.by_hand,
         result.marks.penalty, result.marks.waiting, result.version)
        for result in ordered
    ]  # fmt: skip
    replace_file(out / "summary.csv", table_csv(SUMMARY, summary))


def in_order(graded: list[SubmissionResult], lessons: list[Lesson]) -> list[SubmissionResult]:
    """Sorted by student, then by the course's order; what is no lesson comes last."""
    place = {lesson.id: number for number, lesson in enumerate(lessons)}
    return sorted(
        graded,
        key=lambda result: (result.student, place.get(result.lesson, len(place)), result.lesson),
    )


def number(value: float) -> str:
    """Points as people write them: 2, not 2.0."""
    return f"{round(value, 6):g}"


def hundredths(value: float) -> float:
    """Rounded to two places, half a hundredth upwards, as people do it."""
    return math.floor(100 * value + 0.5 + 1e-9) / 100


def points_of(score: float, max_score: float) -> str:
    """Points of all that there are, such as 2 / 3."""
    return f"{number(score)} / {number(max_score)}"


def table_csv(
    header: Sequence[str],
    rows: Iterable[Sequence[Any]],
    as_they_are: bool = False,
    separator: str = ",",
) -> str:
    """Rows as CSV, in which no spreadsheet takes a field for a formula, unless `as_they_are`.

    `unescaped` gives the text of a field that was read.
    """
    lines: list[str] = []
    # With these ends of lines, a field with any part of them is quoted.
    writer = csv.writer(
        SimpleNamespace(write=lines.append), delimiter=separator, lineterminator="\r\n"
    )
    writer.writerow(header)
    writer.writerows(row if as_they_are else [_field(value) for value in row] for row in rows)
    return "".join(f"{line.removesuffix(writer.dialect.lineterminator)}\n" for line in lines)


def read_table(text: str) -> Iterable[list[str]]:
    """The rows of a CSV, with whatever separates its columns and lines; empty rows are left out."""
    return (row for _number, row in _numbered(text))


def read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """The same of a file that somebody keeps, without spaces around what is in them.

    Each row comes with the number that a spreadsheet gives it. Raises WrongUsage.
    """
    rows = _numbered(text_of(path))
    return [(number, [unescaped(cell.strip()) for cell in row]) for number, row in rows]


def text_of(path: Path) -> str:
    """The text of a file that a spreadsheet or an LMS has saved. Raises WrongUsage."""
    try:
        return text_in(path.read_bytes(), path)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WrongUsage(_("{path} cannot be read ({reason})"), path=path, reason=reason) from error


def text_in(content: bytes, path: object) -> str:
    """The text of a file that a spreadsheet may have saved. Raises WrongUsage unless in UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongUsage(_("{path} is not in UTF-8; save it as CSV UTF-8"), path=path) from error


def _numbered(text: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(sys.maxsize)  # the text is in memory; a long field is that row's alone
    # With newline="", lines end as the file's do, those of an old Mac included.
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator_of(text))
    return ((number, row) for number, row in enumerate(rows, 1) if any(map(str.strip, row)))


def separator_of(text: str) -> str:
    """What separates the columns of a CSV: commas, semicolons or tabs."""
    first = next(iter(text.lstrip("\r\n").splitlines()), "")
    return max(",;\t", key=first.count)


def _field(value: object) -> str:
    """A field that no spreadsheet takes for a formula; empty for None."""
    if value is None:
        return ""
    if isinstance(value, float | int):
        return number(value)
    return re.sub(_CELL + _FORMULA, "'", str(value))


def unescaped(field: str) -> str:
    """The text that was written as this field."""
    return re.sub(f"{_CELL}'{_FORMULA}", "", field)


# Where a cell may begin in a field: also behind what separates cells, or lines, in other countries.
_CELL = r"(?<![^;\t\r\n])"
# It gets one apostrophe more before what may be a formula, with full-width signs too.
_FORMULA = r"""(?='*(?:[^\S\t\r\n]|["\ufeff])*[-=+@\uff1d\uff0b\uff0d\uff20])"""
