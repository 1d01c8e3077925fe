"""The command `export`: grades for an LMS or a spreadsheet, and each lesson's feedback as a zip."""

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from rich.console import Console

from autograder.errors import WrongUsage
from autograder.grading.collect.lesson_of import Lessons
from autograder.grading.collect.mapping import ROSTER, roster_in
from autograder.grading.collect.roster import Roster
from autograder.grading.gradebook.record import read_results
from autograder.grading.model import Graded
from autograder.grading.outdir import below, replace_file
from autograder.grading.report.tables import number, table_csv
from autograder.language import _, ngettext
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import Lesson

KINDS = ("canvas", "moodle", "csv", "json")
BOM = "\ufeff"  # without it, Excel takes UTF-8 for the encoding of its own country


@dataclass
class Export:
    """What is exported, and what could not be: `told` are notes, `failed` what was left out."""

    out: Path
    course: Course
    results: list[Graded]
    roster: Roster | None
    sheet: Path | None = None
    told: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)

    @property
    def lessons(self) -> list[Lesson]:
        """The lessons that somebody handed in."""
        handed_in = {result.lesson for result in self.results}
        return [lesson for lesson in self.course.lessons if lesson.id in handed_in]

    def of(self, lesson: Lesson) -> list[Graded]:
        return [result for result in self.results if result.lesson == lesson.id]

    def most(self, lesson: Lesson) -> float:
        """The most points that somebody could have for a lesson."""
        return max(result.max_total for result in self.of(lesson))

    def name(self, result: Graded) -> str:
        student = self.roster.by_id.get(result.student) if self.roster else None
        return student.name if student and student.name else result.student

    def write(self, path: Path, content: str | bytes) -> None:
        replace_file(path, content)
        self.written.append(path)


def run(out: Path, kind: str, sheet: Path | None, lesson: str, console: Console) -> int:
    """Write OUT/export, and print what was written; the exit code."""
    if kind not in KINDS:
        raise WrongUsage(_("--for is one of {known}, not {given!r}"), known=", ".join(KINDS),
                         given=kind or _("nothing"))  # fmt: skip
    course = read_course()
    results = read_results(out, course)
    if lesson:
        wanted = Lessons(course.lessons).named(lesson)
        results = [result for result in results if wanted and result.lesson == wanted]
        if not results:
            raise WrongUsage(_("{path} has no result of a lesson {lesson!r}"), path=out,
                             lesson=lesson)  # fmt: skip
    roster = roster_in(out)
    if not sheet and roster and roster.kind == kind:
        sheet = out / ROSTER
    export = Export(out, course, results, roster, sheet)
    _writer(kind)(export)
    for message in export.told:
        console.print(message, markup=False, soft_wrap=True)
    waiting = sum(result.marks.waiting for result in results)
    if waiting:
        message = ngettext(
            "{count} answer in prose waits for your points; the totals lack them.",
            "{count} answers in prose wait for your points; the totals lack them.",
            waiting,
        )
        console.print(message.format(count=waiting), style="yellow", markup=False)
    for message in export.failed:
        console.print(message, style="red", markup=False, soft_wrap=True)
    for path in export.written:
        console.print(str(path), markup=False, soft_wrap=True)
    return 1 if export.failed else 0


def _writer(kind: str) -> Callable[[Export], None]:
    from .canvas import for_canvas
    from .moodle import for_moodle

    return {"canvas": for_canvas, "moodle": for_moodle, "csv": for_csv, "json": for_json}[kind]


def for_csv(export: Export) -> None:
    """OUT/export/grades.csv: a row a student, a column a lesson, for spreadsheets."""
    lessons = export.lessons
    rows = []
    for student, name, section in _people(export):
        own = {result.lesson: result for result in export.results if result.student == student}
        totals = [own[lesson.id].total if lesson.id in own else None for lesson in lessons]
        rows.append((student, name, section, *totals, sum(total or 0.0 for total in totals)))
    most = [export.most(lesson) for lesson in lessons]
    names = [f"{lesson.id} (of {number(of)})" for lesson, of in zip(lessons, most, strict=True)]
    header = ("student", "name", "section", *names, f"total (of {number(sum(most))})")
    export.write(export.out / "export/grades.csv", BOM + table_csv(header, rows))
    zip_feedback(export, export.out / "export", lambda result: _plain_name(result))


def for_json(export: Export) -> None:
    """OUT/export/grades.json: all that is known of each submission."""
    tree = [
        {
            "student": result.student,
            "name": export.name(result),
            "lesson": result.lesson,
            "total": result.total,
            "max_total": result.max_total,
            "status": result.status,
            "submitted": result.submitted,
            "late": result.late,
            "message": result.message,
            "repairs": [receipt.text for receipt in result.receipts],
            "tests": [
                {"component": verdict.component, "test": verdict.test, "score": verdict.score,
                 "max_score": verdict.max_score, "status": verdict.status,
                 "misconception": verdict.misconception}
                for verdict in result.verdicts
            ],
        }
        for result in export.results
    ]  # fmt: skip
    text = json.dumps(tree, ensure_ascii=False, indent=1) + "\n"
    export.write(export.out / "export/grades.json", text)
    zip_feedback(export, export.out / "export", lambda result: _plain_name(result))


def _people(export: Export) -> list[tuple[str, str, str]]:
    """Id, name and section of the roster's students, and of all others who handed in."""
    known = {}
    if export.roster:
        known = {
            student.id: (student.id, student.name, student.section)
            for student in export.roster.students
        }
    others = {result.student for result in export.results} - known.keys()
    return sorted([*known.values(), *((student, "", "") for student in others)])


def _plain_name(result: Graded) -> str:
    return str(below(PurePosixPath(), result.student, result.page.name))


def zip_feedback(export: Export, folder: Path, name: Callable[[Graded], str]) -> None:
    """Write feedback-<lesson>.zip for each lesson; `name` is a page's in it, empty for none."""
    for lesson in export.lessons:
        buffer, unnamed, count = io.BytesIO(), list[str](), 0
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for result in export.of(lesson):
                page = export.out / result.page
                if not page.is_file():
                    continue
                if not (inside := name(result)):
                    unnamed.append(result.student)
                    continue
                # A fixed time, so that the same pages are the same zip.
                info = zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0))
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(info, page.read_bytes())
                count += 1
        if count:
            export.write(below(folder, f"feedback-{lesson.id}.zip"), buffer.getvalue())
        if unnamed:
            message = _(
                "{lesson}: no feedback in the zip for {students}: the LMS's names of their files "
                "are not known; collect or grade from what the LMS gives"
            )
            export.failed.append(message.format(lesson=lesson.id, students=", ".join(unnamed)))


def scaled(total: float, most: float, possible: float | None) -> str:
    """A total as the LMS counts it, which may be out of another number of points."""
    if possible and most and abs(possible - most) > 1e-6:
        total = round(total * possible / most, 2)
    return number(total)


def told_scale(export: Export, lesson: Lesson, possible: float | None) -> None:
    """Note that totals were converted, where they were."""
    most = export.most(lesson)
    if possible and most and abs(possible - most) > 1e-6:
        message = _(
            "{lesson}: the LMS counts out of {possible}, the course out of {most}; totals were "
            "converted"
        )
        export.told.append(
            message.format(lesson=lesson.id, possible=number(possible), most=number(most))
        )


def told_left(export: Export, lesson: Lesson, seen: set[str]) -> None:
    """Note whose totals are not in the LMS's file."""
    results = export.of(lesson)
    export.failed += [without_total(result) for result in results if result.total is None]
    left = [
        result.student
        for result in results
        if result.total is not None and result.student not in seen
    ]
    if left:
        message = _("{lesson}: no grade for {students}: they are not in {path}")
        export.failed.append(
            message.format(lesson=lesson.id, path=export.sheet, students=", ".join(left))
        )


def without_total(result: Graded) -> str:
    """That there is no total to export."""
    message = _("{lesson}: no grade for {student}: the grader failed, so there is no total")
    return message.format(lesson=result.lesson, student=result.student)


def read_sheet(path: Path) -> str:
    """The text of an LMS's file. Raises WrongUsage."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(_("{path} cannot be read: {reason}"), path=path, reason=error) from error


def points_in(text: Any) -> float | None:
    """A number as an LMS writes it; None where it is none."""
    try:
        return float(str(text).strip().replace(",", "."))
    except ValueError:
        return None
