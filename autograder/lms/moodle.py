"""Grades and feedback for Moodle, a file of each for each assignment.

**Grades.** "Upload grading worksheet" looks for the columns Identifier, Grade and Last modified
(grade), by their names in the language of the site; the identifier is `Participant 12345`
(mod/assign/feedback/offline/importgradeslib.php of moodle/moodle). The worksheet that Moodle gave
is filled in where it is given, so that names and languages fit. A comment in the worksheet would
overwrite one in Moodle, so a new worksheet has no column for them. Where somebody was graded in
Moodle since, "Allow updating records that have been modified more recently" has to be ticked
(locallib.php beside it).

**Feedback.** "Upload multiple feedback files in a zip" takes files in folders that are named as in
the download (mod/assign/feedback/file/importziplib.php): the number of the participant counts.
"""

import csv
import io
from dataclasses import replace
from pathlib import Path, PurePosixPath

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.results.model import SubmissionResult
from autograder.results.names import normal
from autograder.results.outdir import below, replace_file
from autograder.results.tables import number, read_table

from .canvas import columns_of
from .file_names import ParsedName, moodle
from .grade_sheets import (
    Export,
    points_in,
    read_sheet,
    scaled,
    told_left,
    told_scale,
    told_unconverted,
    without_total,
    zip_feedback,
)  # fmt: skip
from .roster import ROSTER, Roster, Student, cell, is_worksheet

FOLDER = "export/moodle"
COLUMNS = (
    "Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade",
    "Grade can be changed", "Last modified (submission)", "Last modified (grade)",
)  # fmt: skip


def for_moodle(export: Export) -> None:
    """OUT/export/moodle: for each lesson its worksheet of grades, and a zip of feedback.

    A worksheet that is given is of one lesson, and only that one is exported. It is kept for later
    exports, as is one that was given as the roster.
    """
    if export.sheet:
        lesson = _lesson_of(export, _read(export.sheet))
        export.results = export.of(lesson)
        replace_file(_kept(export.out, lesson), export.sheet.read_bytes())
    for lesson in export.lessons:
        path = below(export.out / FOLDER, f"grades-{lesson.id}.csv")
        sheet = export.sheet or _sheet_of(export, lesson)
        if sheet:
            export.write(path, _filled_in(replace(export, sheet=sheet), _read(sheet), lesson))
            continue
        export.write(path, _new(export, lesson))
        told_unconverted(export, lesson, path)
    zip_feedback(export, export.out / FOLDER, _name_in_zip)


def keep_sheet(out: Path, sheet: Path, course: Course, results: list[SubmissionResult]) -> None:
    """Keep a worksheet for exports, if it is clear which lesson of these results it is of."""
    export = Export(out, course, results, None)
    found = _lessons_in(export, _read(sheet))
    if len(found) == 1:
        replace_file(_kept(out, found[0]), sheet.read_bytes())


def without_file(roster: Roster, results: list[SubmissionResult]) -> dict[str, list[str]]:
    """Who submitted something according to the worksheet, and of whom nothing is here, by lesson.

    The worksheet is of the lessons in which students have its numbers.
    """
    there: dict[str, set[str]] = {}
    for result in results:
        student = roster.by_id.get(result.student)
        if student and student.lms_id and student.lms_id == _participant(result):
            there.setdefault(result.lesson, set())
    for result in results:
        if result.lesson in there:
            there[result.lesson].add(result.student)
    submitted = [student.id for student in roster.students if student.was_submitted]
    missing = {
        lesson: [student for student in submitted if student not in students]
        for lesson, students in there.items()
    }
    return {lesson: students for lesson, students in missing.items() if students}


def _kept(out: Path, lesson: Lesson) -> Path:
    return below(out / "work/worksheets", f"{lesson.id}.csv")


def _sheet_of(export: Export, lesson: Lesson) -> Path | None:
    """The lesson's worksheet that was given earlier; None where none was."""
    kept = _kept(export.out, lesson)
    if kept.is_file():
        return kept
    if not (export.roster and export.roster.kind == "moodle"):
        return None
    roster = export.out / ROSTER
    return roster if _lessons_in(export, _read(roster)) == [lesson] else None


def _lessons_in(export: Export, sheet: list[dict[str, str]]) -> list[Lesson]:
    """The lessons that participants of the worksheet handed in."""
    return [lesson for lesson in export.lessons if _is_of(export, sheet, lesson)]


def _lesson_of(export: Export, sheet: list[dict[str, str]]) -> Lesson:
    """The lesson that the worksheet is of. Raises WrongUsage where that is not clear.

    Numbers of participants tell it, else the name that Moodle gave to the file.
    """
    assert export.sheet
    found = _lessons_in(export, sheet)
    if len(found) > 1:
        named = columns_of([export.sheet.stem], found)
        found = [lesson for lesson in found if lesson.id in named] or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise WrongUsage(
            _("{path} has no participant who handed in {lessons}; expected the worksheet of an "
              "assignment that was graded"),
            path=export.sheet, lessons=", ".join(lesson.id for lesson in export.lessons),
        )  # fmt: skip
    raise WrongUsage(
        _("{path} can be the worksheet of {lessons}; say with --lesson which"),
        path=export.sheet, lessons=", ".join(lesson.id for lesson in found),
    )  # fmt: skip


def _folder_of(result: SubmissionResult) -> tuple[str, ParsedName] | None:
    """The part of the path that names the participant, and what it tells."""
    for part in PurePosixPath(result.original).parts:
        if named := moodle(part):
            return part, named
    return None


def _name_in_zip(result: SubmissionResult) -> str:
    found = _folder_of(result)
    if not found:
        return ""
    part, named = found
    page = PurePosixPath(result.page).name
    if named.file:  # the files were downloaded without folders
        return part.removesuffix(named.file) + page
    return f"{part}/{page}"


def _participant(result: SubmissionResult) -> str:
    found = _folder_of(result)
    return found[1].lms_id if found else ""


def _read(path: Path) -> list[dict[str, str]]:
    header, *rows = list(read_table(read_sheet(path))) or [[]]
    if not is_worksheet(header):
        raise WrongUsage(
            _("{path} is no grading worksheet of Moodle: its columns are {found}; expected are "
              "Identifier, Full name, Grade, Maximum Grade and others"),
            path=path, found=", ".join(header[:6]),
        )  # fmt: skip
    return [dict(zip(header, row + [""] * len(header), strict=False)) for row in rows]


def _by_participant(export: Export, lesson: Lesson) -> dict[tuple[str, str], SubmissionResult]:
    """Results by number and name of the participant: numbers alone mean others elsewhere."""
    found = {}
    for result in export.of(lesson):
        part = _folder_of(result)
        if part:
            found[part[1].lms_id, letters_of(part[1].name)] = result
    return found


def letters_of(name: str) -> str:
    """A name as Moodle writes it into those of folders: without underscores."""
    return normal(name).replace("_", " ")


def _key(row: dict[str, str]) -> tuple[str, str]:
    digits = "".join(sign for sign in cell(row, "Identifier") if sign.isdigit())
    return digits, letters_of(cell(row, "Full name"))


def _is_of(export: Export, sheet: list[dict[str, str]], lesson: Lesson) -> bool:
    known = _by_participant(export, lesson)
    return any(_key(row) in known for row in sheet)


def _filled_in(export: Export, sheet: list[dict[str, str]], lesson: Lesson) -> str:
    """Moodle's worksheet with the totals of the lesson in it."""
    known = _by_participant(export, lesson)
    rows, seen, possible = [], set(), None
    for row in sheet:
        result = known.get(_key(row))
        if result and result.total is not None:
            possible = points_in(cell(row, "Maximum Grade"))
            grade = next(name for name in row if name.casefold() == "grade")
            row = row | {grade: scaled(result.total, result.max_total, possible)}
            seen.add(result.student)
        rows.append(row)
    told_left(export, lesson, seen)
    if seen and not possible:
        message = _(
            "{lesson}: {path} does not tell in Maximum Grade out of how many points Moodle counts; "
            "the totals are those of the course"
        )
        export.failed.append(message.format(lesson=lesson.id, path=export.sheet))
    told_scale(export, lesson, possible)
    return _csv(tuple(sheet[0]), rows)


def _new(export: Export, lesson: Lesson) -> str:
    """A worksheet of those who handed in, for Moodle to match by the participants' numbers."""
    rows, unknown = [], []
    for result in export.of(lesson):
        participant = _participant(result)
        if not participant:
            unknown.append(result.student)
            continue
        if result.total is None:
            export.failed.append(without_total(result))
            continue
        known = export.roster.by_id.get(result.student) if export.roster else None
        student = known or Student(result.student, result.student)
        values = (
            f"Participant {participant}", student.name, student.email, "Submitted for grading",
            number(result.total), number(result.max_total), "Yes", "-", "-",
        )  # fmt: skip
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    if unknown:
        message = _(
            "{lesson}: no grade for {students}: their numbers as participants are not known; "
            "collect or grade from what Moodle gives"
        )
        export.failed.append(message.format(lesson=lesson.id, students=", ".join(unknown)))
    return _csv(COLUMNS, rows)


def _csv(header: tuple[str, ...], rows: list[dict[str, str]]) -> str:
    file = io.StringIO()
    writer = csv.DictWriter(file, header, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()
