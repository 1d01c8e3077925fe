"""Grades and feedback for Moodle, a file of each for each assignment.

**Grades.** "Upload grading worksheet" looks for the columns Identifier, Grade and Last modified
(grade), by their names in the language of the site; the identifier is `Participant 12345`
(mod/assign/feedback/offline/importgradeslib.php of moodle/moodle). The worksheet that Moodle gave
is filled in, so that names and languages fit. Where somebody was graded in Moodle since, "Allow
updating records that have been modified more recently" has to be ticked (locallib.php beside it).

**Feedback.** "Upload multiple feedback files in a zip" takes files in folders that are named as in
the download (mod/assign/feedback/file/importziplib.php): the number of the participant counts.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import hyphenated
from autograder.results.handed_in import HandedIn
from autograder.results.safe_names import below, normal
from autograder.results.submission import SubmissionResult
from autograder.results.tables import read_table, table_csv, text_of

from .exported_totals import (
    Export,
    Replaced,
    note_conversion,
    note_replaced,
    note_who_is_missing,
    read_points,
    scaled,
    zip_feedback,
)  # fmt: skip
from .file_names import came_astray, moodle
from .kept_worksheets import KEPT, keep_worksheet, lessons_of
from .read_roster import cell, read_worksheet
from .roster import ROSTER, Roster, is_called

FOLDER = "export/moodle"


def for_moodle(export: Export) -> None:
    """OUT/export/moodle: for each lesson its worksheet of grades, and a zip of feedback.

    A worksheet that is given is of one lesson, and only that one is exported. It is kept for later
    exports, as is one that was given as the roster.
    """
    if export.sheet:
        lesson = _lesson_of(export, read_worksheet(export.sheet))
        export.results = export.of(lesson)
        keep_worksheet(export.out / KEPT, lesson.id, export.sheet.read_bytes())
    sheets = {lesson.id: export.sheet or _sheet_of(export, lesson) for lesson in export.lessons}
    for lesson in export.lessons:
        if sheet := sheets[lesson.id]:
            path = below(export.out / FOLDER, f"grades-{lesson.id}.csv")
            export.write(path, _filled_in(replace(export, sheet=sheet), lesson))
            continue
        message = _("{lesson}: no grades: give its assignment's grading worksheet with --sheet")
        export.failed.append(message.format(lesson=lesson.id))
    numbers = {lesson: read_worksheet(path) for lesson, path in sheets.items() if path}
    zip_feedback(export, export.out / FOLDER, lambda result: _name_in_zip(export, result, numbers))


def _sheet_of(export: Export, lesson: Lesson) -> Path | None:
    """The lesson's worksheet that was given earlier; None where none was."""
    kept = below(export.out / KEPT, f"{lesson.id}.csv")
    if kept.is_file():
        return kept
    if not (export.roster and export.roster.kind == "moodle"):
        return None
    is_its = lessons_of(export.roster, export.rows.values()) == [lesson.id]
    return export.out / ROSTER if is_its else None


def _lesson_of(export: Export, sheet: Roster) -> Lesson:
    """The lesson that the worksheet is of. Raises WrongUsage where that is not clear.

    Most of its participants tell it; of several lessons with as many, --lesson or the name that
    Moodle gave to the file.
    """
    assert export.sheet
    ids = lessons_of(sheet, export.rows.values())
    candidates = [lesson for lesson in export.course.lessons if lesson.id in ids]
    if export.lesson and candidates:
        wanted = [lesson for lesson in candidates if lesson.id == export.lesson]
        if not wanted:
            raise WrongUsage(
                _("{path} is the worksheet of {lesson}, not of {wanted}"),
                path=export.sheet, lesson=", ".join(ids), wanted=export.lesson,
            )  # fmt: skip
        candidates = wanted
    if len(candidates) > 1:
        candidates = named_in_file(export.sheet.stem, candidates) or candidates
    if len(candidates) == 1:
        return candidates[0]
    if not candidates:
        raise WrongUsage(
            _("{path} has no participant who handed in {lessons}; expected the worksheet of an "
              "assignment that was graded"),
            path=export.sheet, lessons=", ".join(lesson.id for lesson in export.lessons),
        )  # fmt: skip
    raise WrongUsage(
        _("{path} can be the worksheet of {lessons}; say with --lesson which"),
        path=export.sheet, lessons=", ".join(lesson.id for lesson in candidates),
    )  # fmt: skip


def named_in_file(file: str, lessons: Sequence[Lesson]) -> list[Lesson]:
    """The lessons of which a file's name has the longest name."""
    words = f"-{hyphenated(file)}-"
    lengths = [
        max(
            len(name) if f"-{name}-" in words else 0
            for name in map(hyphenated, (lesson.id, lesson.name, lesson.title))
        )
        for lesson in lessons
    ]
    longest = max(1, *lengths)
    return [lesson for lesson, length in zip(lessons, lengths, strict=True) if length == longest]


def _name_in_zip(export: Export, result: SubmissionResult, sheets: dict[str, Roster]) -> str:
    """The page's name, with the student's number in the lesson's own assignment."""
    row, page = export.row(result), PurePosixPath(result.page).name
    if _participant(row):
        for part in PurePosixPath(row.original).parts:
            if named := moodle(part):
                # With a file's name, files were downloaded without folders.
                return part.removesuffix(named.file) + page if named.file else f"{part}/{page}"
    sheet = sheets.get(result.lesson)
    students = sheet.students if sheet else ()
    student = next((student for student in students if student.id == result.student), None)
    if not student:
        return ""
    return f"{_name_of_folder(student.name)}_{student.lms_id}_assignsubmission_file/{page}"


def _participant(row: HandedIn) -> str:
    """The student's number in the lesson's own assignment; empty where nothing tells it."""
    return row.lms_id if row.source == "moodle" and not came_astray(row) else ""


def _name_of_folder(name: str) -> str:
    """A name as Moodle writes it into those of folders: without underscores."""
    return normal(name).replace("_", " ")


def _filled_in(export: Export, lesson: Lesson) -> str:
    """Moodle's worksheet with the totals of the lesson in it.

    The number of the participant tells whose a row is; where it was handed in otherwise, the id.
    """
    assert export.sheet
    sheet = read_worksheet(export.sheet)
    _header, *lines = read_table(text_of(export.sheet))
    by_number: dict[str, list[tuple[str, SubmissionResult]]] = {}
    by_id: dict[str, SubmissionResult] = {}
    for result in export.of(lesson):
        row = export.row(result)
        if participant := _participant(row):
            by_number.setdefault(participant, []).append((row.name, result))
        else:
            by_id[result.student] = result
    rows, seen, possible, replaced = [], set(), None, list[Replaced]()
    for line, student in zip(lines, sheet.students, strict=True):
        cells = dict(zip(sheet.columns, line + [""] * len(sheet.columns), strict=False))
        numbered = by_number.get(student.lms_id, ())
        claims = [result for name, result in numbered if is_called(name, student.name)]
        claims += [by_id[student.id]] if student.id in by_id else []
        if len(claims) > 1:
            message = _("{lesson}: no grade for {students}: to the LMS they are one student")
            names = _(" and ").join(result.student for result in claims)
            export.failed.append(message.format(lesson=lesson.id, students=names))
            seen |= {result.student for result in claims}
        claimed = claims[0] if len(claims) == 1 else None
        if claimed and claimed.total is not None:
            possible = read_points(cell(cells, "Maximum Grade"))
            grade = next(name for name in cells if name.casefold() == "grade")
            total = scaled(claimed.total, claimed.max_total, possible)
            replaced.append(Replaced(claimed.student, cells[grade].strip(), float(total), total))
            cells |= {grade: total}
            seen.add(claimed.student)
        rows.append(cells)
    note_replaced(export, lesson, replaced)
    note_who_is_missing(export, lesson, seen, {student.id for student in sheet.students})
    if seen and not possible:
        message = _(
            "{lesson}: {path} does not tell in Maximum Grade out of how many points Moodle counts; "
            "the totals are those of the course"
        )
        export.failed.append(message.format(lesson=lesson.id, path=export.sheet))
    note_conversion(export, lesson, possible)
    lines = [[cells[name] for name in sheet.columns] for cells in rows]
    return table_csv(sheet.columns, lines, as_they_are=True)
