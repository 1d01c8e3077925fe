"""Grades and feedback for Canvas.

**Grades.** Canvas imports a CSV whose columns begin with Student, ID, perhaps SIS User ID, SIS
Login ID, and Section; each further one is an assignment, `Title (id)`, and the row `Points
Possible` tells what it is out of (lib/gradebook_importer.rb of instructure/canvas-lms). The ids of
assignments are in the gradebook that Canvas exports and nowhere else, so that file is filled in.
Only the columns of lessons are kept beside those of students. A cell without a
result keeps what it had, and so does one of an excused student; replaced grades are told.
A wrong guess of the column would write grades into another assignment, so a title has to be the
lesson's as a whole: "Attention", "HW: Attention", "01-attention", "Lesson 1".

**Feedback.** "Upload Submissions" takes files that are named as they were downloaded: of a name in
parts between underscores, the first two that are numbers are the user and the attachment
(`infer_comment_context_from_filename` in app/models/abstract_assignment.rb). The page becomes an
attachment of a comment, which Canvas shows under the name of the file that was handed in.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.lesson import Lesson
from autograder.lesson.which_lesson import Lessons
from autograder.results.handed_in import HandedIn
from autograder.results.safe_names import normal, short_list
from autograder.results.submission import SubmissionResult
from autograder.results.tables import read_table, separator_of, table_csv, text_of

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
from .read_roster import TEST_STUDENT, joined_sections

FOLDER = "export/canvas"
IDS = ("ID", "SIS User ID", "SIS Login ID")
ID = re.compile(r" \((\d+)\)$")  # Canvas's number of the assignment, behind its title
NOTEBOOKS = {"assignment", "exercise", "homework", "hw", "lab", "notebook"}
EXCUSED = "ex"  # a grade that Canvas does not count, in lower case


def for_canvas(export: Export) -> None:
    """OUT/export/canvas: grades.csv for all lessons, a zip of feedback for each."""
    if export.columns and not export.sheet:
        raise WrongUsage(_("--column names a column of Canvas's gradebook; give that with --sheet"))
    if not export.sheet:
        export.failed.append(
            _("no grades: give the gradebook that Canvas exports with --sheet, to be filled in")
        )
    elif content := _filled_in(export):
        export.write(export.out / FOLDER / "grades.csv", content)
    # Canvas looks for what a page belongs to in the assignment that it was handed in with.
    out = export.out / FOLDER
    zip_feedback(export, out, lambda result: _name_in_zip(export.row(result)), by_assignment=True)


def _name_in_zip(row: HandedIn) -> str:
    """The page's name: that of the file handed in, as a page."""
    is_named = row.source == "canvas" and row.attempt
    return f"{PurePosixPath(row.original).stem}.html" if is_named else ""


def lms_id(export: Export, result: SubmissionResult) -> str:
    """Canvas's id of the student: the roster's, else that in the name of the file.

    Moodle's numbers in a roster are others.
    """
    roster = export.roster if export.roster and export.roster.kind != "moodle" else None
    student = roster.by_id.get(result.student) if roster else None
    row = export.row(result)
    return (student.lms_id if student else "") or (row.lms_id if row.source == "canvas" else "")


def _filled_in(export: Export) -> str:
    """The gradebook that Canvas exported, with the totals of the lessons in it; empty for none."""
    sheet = _read(export)
    columns = _columns(export, sheet)
    for lesson in export.lessons:
        if lesson.id in columns:
            _fill(export, lesson, sheet, columns[lesson.id])
    if not columns:
        return ""
    kept = [*range(sheet.students), *sorted(columns.values())]
    header, *rows = ([row[place] for place in kept] for row in (sheet.header, *sheet.rows))
    return table_csv(header, rows, as_they_are=True, separator=sheet.separator)


def _columns(export: Export, sheet: "_Gradebook") -> dict[str, int]:
    """The column of each lesson that was handed in, as far as that is clear; says which it is."""
    chosen = columns_chosen(export.columns, sheet.titles, export.course.lessons)
    titles = {place: name for place, name in sheet.titles.items() if place not in chosen.values()}
    named = columns_named(titles, export.course.lessons)
    named |= {lesson: [place] for lesson, place in chosen.items()}
    handed_in = {lesson.id for lesson in export.lessons}
    for id in chosen.keys() - handed_in:
        message = _("{lesson}: nobody has a result to write into {column}, which stays out")
        export.failed.append(message.format(lesson=id, column=sheet.header[chosen[id]]))
    column_of = {}
    for lesson in export.lessons:
        columns = named.get(lesson.id, [])
        names = [sheet.header[place] for place in columns]
        if len(columns) == 1:
            column_of[lesson.id] = columns[0]
            export.told.append(f"{lesson.id} -> {names[0]}")
            continue
        message = _(
            "{lesson}: no column of {path} is called after it; columns without a lesson are "
            "{names}. Say which it is with {option}, or call the assignment {title!r} in Canvas"
        )
        if columns:
            message = _(
                "{lesson}: {names} of {path} are both called after it; say which with {option}"
            )
        taken = {place for places in named.values() for place in places}
        free = [name for place, name in sheet.titles.items() if place not in taken]
        export.failed.append(
            message.format(
                lesson=lesson.id,
                path=export.sheet,
                names=_(" and ").join(names) or ", ".join(free) or _("none"),
                option=f'--column {lesson.id[:2]}="{names[0] if names else "TITLE"}"',
                title=_("Lesson {number}").format(number=lesson.id[:2]),
            )
        )
    return column_of


def _fill(export: Export, lesson: Lesson, sheet: "_Gradebook", place: int) -> None:
    """Write a lesson's totals into its column, and tell what that changes."""
    possible = read_points(sheet.possible[place])
    if not possible:
        message = _(
            "{lesson}: {path} does not tell in Points Possible out of how many points Canvas "
            "counts; the totals are those of the course"
        )
        if possible == 0:
            message = _(
                "{lesson}: Canvas counts it out of 0 points ({path}); the totals are those of the "
                "course"
            )
        export.failed.append(message.format(lesson=lesson.id, path=export.sheet))
    note_conversion(export, lesson, possible)
    by_row, unclear = _by_row(export, lesson, sheet)
    seen, excused, replaced = set(unclear), list[str](), list[Replaced]()
    for number, result in sorted(by_row.items()):
        student, row = result.student, sheet.rows[number]
        total, before = scaled(result.total or 0.0, result.max_total, possible), row[place].strip()
        seen.add(student)
        if before.casefold() == EXCUSED:
            excused.append(student)
            continue
        row[place] = sheet.written(total)
        replaced.append(Replaced(student, before, float(total), row[place]))
    if unclear:
        message = _(
            "{lesson}: no grade for {students}: which row of {path} is theirs is not clear; give a "
            "roster with lms_id"
        )
        export.failed.append(
            message.format(lesson=lesson.id, path=export.sheet, students=", ".join(unclear))
        )
    if excused:
        message = _("{lesson}: excused in the sheet, which stays so: {students}")
        export.told.append(message.format(lesson=lesson.id, students=short_list(excused)))
    note_replaced(export, lesson, replaced)
    note_who_is_missing(export, lesson, seen, set().union(*sheet.ids))


def _by_row(
    export: Export, lesson: Lesson, sheet: "_Gradebook"
) -> tuple[dict[int, SubmissionResult], list[str]]:
    """The results with a total by the number of their row, and of whom that is not clear.

    Canvas's id of the student tells it; where it is not known, any id in the row that is the
    student's. A row that could be of several is nobody's.
    """
    claims: dict[int, list[str]] = {}
    rows_of: dict[str, tuple[SubmissionResult, list[int]]] = {}
    for result in export.of(lesson):
        if result.total is None:
            continue
        id = lms_id(export, result)
        rows = [
            number
            for number, row in enumerate(sheet.rows)
            if (row[1].strip() == id if id else result.student in sheet.ids[number])
        ]
        rows_of[result.student] = result, rows
        for number in rows:
            claims.setdefault(number, []).append(result.student)
    placed_in = {
        rows[0]: result
        for result, rows in rows_of.values()
        if len(rows) == 1 and len(claims[rows[0]]) == 1
    }
    placed = {result.student for result in placed_in.values()}
    unclear = [student for student, (_result, rows) in rows_of.items() if rows]
    return placed_in, [student for student in unclear if student not in placed]


@dataclass
class _Gradebook:
    """What Canvas exported: columns of students first, then assignments; one row a student."""

    header: list[str]
    rows: list[list[str]]
    separator: str

    @property
    def students(self) -> int:
        """How many columns tell who a student is."""
        return self.header.index("Section") + 1

    @cached_property
    def ids(self) -> list[set[str]]:
        """What can be a student's id, by row: Canvas's id, and those of the SIS."""
        places = [at for at, name in enumerate(self.header[: self.students]) if name in IDS]
        return [{normal(row[at]) for at in places} - {""} for row in self.rows]

    @cached_property
    def possible(self) -> list[str]:
        """The row of Points Possible."""
        empty = [""] * len(self.header)
        return next((row for row in self.rows if "Points Possible" in row[0]), empty)

    @cached_property
    def titles(self) -> dict[int, str]:
        """The assignments. Columns that Canvas computes have no id, and no points but a remark."""
        by_place = {
            place: name
            for place, name in enumerate(self.header)
            if place >= self.students and not self.possible[place].strip().startswith("(")
        }
        return {place: name for place, name in by_place.items() if ID.search(name)} or by_place

    @cached_property
    def has_decimal_comma(self) -> bool:
        cells = [row[place].strip() for row in self.rows for place in self.titles]
        if any(re.fullmatch(r"-?\d+[.,]\d+", cell) for cell in cells):
            return any(re.fullmatch(r"-?\d+,\d+", cell) for cell in cells)
        return self.separator == ";"

    def written(self, number: str) -> str:
        return number.replace(".", ",") if self.has_decimal_comma else number


def _read(export: Export) -> _Gradebook:
    """The gradebook, without Canvas's test student. Who has a row a section has one here."""
    assert export.sheet
    text = text_of(export.sheet)
    header, *rows = list(read_table(text)) or [[]]
    if header[:2] != ["Student", "ID"] or "Section" not in header:
        raise WrongUsage(
            _("{path} is no gradebook of Canvas: its columns are {found}; expected are Student, "
              "ID, SIS Login ID, Section and the assignments"),
            path=export.sheet, found=", ".join(header[:6]),
        )  # fmt: skip
    section, merged = header.index("Section"), dict[str, list[str]]()
    for number, row in enumerate(row for row in rows if row[0] != TEST_STUDENT):
        row += [""] * (len(header) - len(row))
        first = merged.setdefault(row[1].strip() or f"row {number}", row)
        if first is not row:
            joined = joined_sections(first[section], row[section])
            first[:] = [earlier or later for earlier, later in zip(first, row, strict=False)]
            first[section] = joined
    return _Gradebook(header, list(merged.values()), separator_of(text))


def columns_named(titles: Mapping[int, str], lessons: Sequence[Lesson]) -> dict[str, list[int]]:
    """The columns that are called after each lesson: none, one, or several that are alike."""
    names: dict[tuple[str, ...], str] = {}
    for lesson in lessons:
        numbered = [f"lesson {number}" for number in (lesson.id[:2], int(lesson.id[:2]))]
        called = [lesson.name, lesson.title]
        phrases = [f"{number} {name}" for number in numbered for name in called]
        names |= {_words(text): lesson.id for text in (lesson.id, *called, *numbered, *phrases)}
    columns: dict[str, list[int]] = {}
    for column, title in titles.items():
        words = _words(ID.sub("", title))
        bare = words[1:] if words[:1] and words[0] in NOTEBOOKS else words
        if id := names.get(words) or names.get(bare):
            columns.setdefault(id, []).append(column)
    return columns


def columns_chosen(
    chosen: Sequence[str], titles: Mapping[int, str], lessons: Sequence[Lesson]
) -> dict[str, int]:
    """The columns that `LESSON=TITLE` give lessons; the title may be the assignment's id.

    Raises WrongUsage where one is not clear.
    """
    lesson_names, column_of = Lessons(lessons), dict[str, int]()
    for text in chosen:
        name, _equals, title = (part.strip() for part in text.partition("="))
        id = lesson_names.named(name)
        if not id or not title:
            raise WrongUsage(
                _("--column is {given!r}; expected a lesson and the title of a column, such as "
                  "{example}"),
                given=text, example='01="HW 1"',
            )  # fmt: skip
        exact = [column for column, text in titles.items() if text == title]
        alike = exact or [
            column
            for column, text in titles.items()
            if _words(ID.sub("", text)) == _words(title) or ID.findall(text) == [title]
        ]
        if len(alike) != 1:
            raise WrongUsage(
                _("--column: {count} columns are called {title!r}; expected one of {names}"),
                count=len(alike), title=title, names=", ".join(titles.values()) or _("none"),
            )  # fmt: skip
        if id in column_of or alike[0] in column_of.values():
            raise WrongUsage(_("--column gives {title!r} or its lesson twice"), title=title)
        column_of[id] = alike[0]
    return column_of


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\d+|[^\W\d_]+", text.casefold()))
