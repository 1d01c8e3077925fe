"""Grades and feedback for Canvas.

**Grades.** Canvas imports a CSV whose columns begin with Student, ID, perhaps SIS User ID, SIS
Login ID, and Section; each further one is an assignment, `Title (id)`, and the row `Points
Possible` tells what it is out of (lib/gradebook_importer.rb of instructure/canvas-lms). The ids of
assignments are in the gradebook that Canvas exports and nowhere else, so that file is filled in
where it is given. Only the columns of lessons are kept beside those of students, and a cell without
a result keeps what it had: grades that changed in Canvas meanwhile are not overwritten.

**Feedback.** "Upload Submissions" takes files that are named as they were downloaded: of a name in
parts between underscores, the first two that are numbers are the user and the attachment
(`infer_comment_context_from_filename` in app/models/abstract_assignment.rb). The page becomes an
attachment of a comment, which Canvas shows under the name of the file that was handed in.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lesson.lesson_names import Lessons
from autograder.results.model import SubmissionResult
from autograder.results.tables import read_table, table_csv

from .file_names import canvas
from .grade_sheets import (
    Export,
    points_in,
    read_sheet,
    scaled,
    told_left,
    told_scale,
    told_unconverted,
    zip_feedback,
)  # fmt: skip
from .roster import TEST_STUDENT

FOLDER = "export/canvas"
_ID = re.compile(r" \(\d+\)$")


def for_canvas(export: Export) -> None:
    """OUT/export/canvas: grades.csv for all lessons, a zip of feedback for each."""
    content = _filled_in(export) if export.sheet else _new(export)
    export.write(export.out / FOLDER / "grades.csv", content)
    zip_feedback(export, export.out / FOLDER, _name_in_zip)


def _name_in_zip(result: SubmissionResult) -> str:
    """The page's name: that of the file handed in, as a page."""
    name = PurePosixPath(result.original).name
    named = canvas(name)
    return f"{PurePosixPath(name).stem}.html" if named and named.attempt else ""


def lms_id(export: Export, result: SubmissionResult) -> str:
    """Canvas's id of the student: the roster's, else that in the name of the file."""
    student = export.roster.by_id.get(result.student) if export.roster else None
    named = canvas(PurePosixPath(result.original).name)
    return (student.lms_id if student else "") or (named.lms_id if named else "")


def _new(export: Export) -> str:
    """A gradebook of the lessons alone, for Canvas to match by the students' ids."""
    lessons = export.lessons
    header = ("Student", "ID", "SIS Login ID", "Section", *(lesson.title for lesson in lessons))
    most = [export.most(lesson) for lesson in lessons]
    rows: list[tuple[object, ...]] = [("    Points Possible", "", "", "", *most)]
    own: dict[str, dict[str, SubmissionResult]] = {}
    for result in export.results:
        own.setdefault(result.student, {})[result.lesson] = result
    for student, results in sorted(own.items()):
        one = next(iter(results.values()))
        known = export.roster.by_id.get(student) if export.roster else None
        named = canvas(PurePosixPath(one.original).name)
        name = known.name if known else named.name if named else student
        totals = [results[lesson.id].total if lesson.id in results else "" for lesson in lessons]
        section = known.section if known else ""
        ids = (lms_id(export, one), student if known else "")
        if not any(ids):
            message = _("{student}: Canvas's id is not known; give a roster with lms_id")
            export.failed.append(message.format(student=student))
        rows.append((name, *ids, section, *totals))
    for lesson in lessons:
        told_unconverted(export, lesson, export.out / FOLDER / "grades.csv")
    export.told.append(
        _("Canvas will ask which assignments these columns are. With --sheet, the gradebook that "
          "Canvas exports is filled in, and it need not ask.")
    )  # fmt: skip
    return table_csv(header, rows)


def _filled_in(export: Export) -> str:
    """The gradebook that Canvas exported, with the totals of the lessons in it."""
    header, rows = _read(export)
    students = header.index("Section") + 1
    columns = {
        lesson: students + place
        for lesson, place in columns_of(header[students:], export.course.lessons).items()
        if any(lesson == one.id for one in export.lessons)
    }
    possible: dict[str, float | None] = {}
    for row in rows:
        if "Points Possible" in row[0]:
            possible = {lesson: points_in(row[place]) for lesson, place in columns.items()}
    results = {
        (lms_id(export, result) or result.student, result.lesson): result
        for result in export.results
        if result.total is not None
    }
    filled, seen = [], set()
    for row in rows:
        for id, place in columns.items():
            result = results.get((row[1].strip(), id))
            if result and result.total is not None:
                row[place] = scaled(result.total, result.max_total, possible.get(id))
                seen.add((result.student, id))
        filled.append([*row[:students], *(row[place] for place in columns.values())])
    for lesson in export.lessons:
        if lesson.id not in columns:
            message = _("{lesson}: no column of {path} is called after it; the columns are {names}")
            names = ", ".join(header[students:]) or _("none")
            export.failed.append(message.format(lesson=lesson.id, path=export.sheet, names=names))
            continue
        if not possible.get(lesson.id):
            message = _(
                "{lesson}: {path} does not tell in Points Possible out of how many points Canvas "
                "counts; the totals are those of the course"
            )
            export.failed.append(message.format(lesson=lesson.id, path=export.sheet))
        told_scale(export, lesson, possible.get(lesson.id))
        told_left(export, lesson, {student for student, id in seen if id == lesson.id})
    kept = (*header[:students], *(header[place] for place in columns.values()))
    return table_csv(kept, filled, as_they_are=True)


def _read(export: Export) -> tuple[list[str], list[list[str]]]:
    """The columns and rows of the gradebook, without Canvas's test student."""
    assert export.sheet
    header, *rows = list(read_table(read_sheet(export.sheet))) or [[]]
    if header[:2] != ["Student", "ID"] or "Section" not in header:
        raise WrongUsage(
            _("{path} is no gradebook of Canvas: its columns are {found}; expected are Student, "
              "ID, SIS Login ID, Section and the assignments"),
            path=export.sheet, found=", ".join(header[:6]),
        )  # fmt: skip
    rows = [row + [""] * (len(header) - len(row)) for row in rows]
    return header, [row for row in rows if row[0] != TEST_STUDENT]


def columns_of(titles: list[str], lessons: Sequence[Lesson]) -> dict[str, int]:
    """The column of each lesson, by the titles of assignments: the one that names it at length."""
    found: dict[str, tuple[int, int]] = {}
    known = Lessons(lessons)
    for place, title in enumerate(titles):
        words = f"-{_plain(_ID.sub('', title))}-"
        best = max(
            (
                (len(name), lesson.id)
                for lesson in lessons
                for name in (_plain(lesson.id), _plain(lesson.name), _plain(lesson.title))
                if f"-{name}-" in words
            ),
            default=(1, known.named(words.strip("-"))),
        )
        length, id = best
        if id and length > found.get(id, (0, 0))[0]:
            found[id] = (length, place)
    return {id: place for id, (_length, place) in found.items()}


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "-", text.casefold()).strip("-")
