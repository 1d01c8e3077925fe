"""What is exported to an LMS or a spreadsheet: totals as it counts them, and pages in a zip."""

import io
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.files import replace_file
from autograder.language import _, ngettext
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.results.handed_in import HandedIn
from autograder.results.safe_names import below, respelled, short_list
from autograder.results.submission import SAME, SubmissionId, SubmissionResult
from autograder.results.tables import hundredths, number

from .roster import Roster


@dataclass
class Export:
    """What is exported, and what could not be: `told` are notes, `failed` what was left out.

    `recorded` are the results of all lessons, also where one `lesson` alone is asked for. `rows`
    tell of each submission how the LMS calls it.
    """

    out: Path
    course: Course
    results: list[SubmissionResult]
    roster: Roster | None
    rows: Mapping[SubmissionId, HandedIn]
    sheet: Path | None = None
    recorded: Sequence[SubmissionResult] = ()
    lesson: str = ""
    columns: tuple[str, ...] = ()  # LESSON=TITLE, for titles that do not name their lesson
    told: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)

    @property
    def lessons(self) -> list[Lesson]:
        """The lessons that somebody handed in."""
        handed_in = {result.lesson for result in self.results}
        return [lesson for lesson in self.course.lessons if lesson.id in handed_in]

    def of(self, lesson: Lesson) -> list[SubmissionResult]:
        return [result for result in self.results if result.lesson == lesson.id]

    def most(self, lesson: Lesson) -> float:
        """The most points that somebody could have for a lesson."""
        return max(result.max_total for result in self.of(lesson))

    def name(self, result: SubmissionResult) -> str:
        student = self.roster.by_id.get(result.student) if self.roster else None
        return student.name if student and student.name else result.student

    def row(self, result: SubmissionResult) -> HandedIn:
        """How it was handed in."""
        return self.rows.get(result.id) or HandedIn("", *result.id)

    def write(self, path: Path, content: str | bytes) -> None:
        replace_file(path, content)
        self.written.append(path)


def zip_feedback(
    export: Export,
    folder: Path,
    name: Callable[[SubmissionResult], str],
    by_assignment: bool = False,
) -> None:
    """Write feedback-<lesson>.zip for each lesson; `name` is a page's in it, empty for none.

    If `by_assignment`, a page belongs into the zip of the lesson that it was handed in with.
    """
    wanted = {lesson.id for lesson in export.lessons}
    recorded = export.recorded if export.lesson else ()
    rest = [result for result in recorded if result.lesson not in wanted]
    pages: dict[str, list[SubmissionResult]] = {}
    for result in (*export.results, *rest):
        place = export.row(result).handed_in_with if by_assignment else result.lesson
        pages.setdefault(place, []).append(result)
    for lesson in export.course.lessons:
        if export.lesson and lesson.id != export.lesson:
            continue
        buffer, unnamed, count = io.BytesIO(), list[str](), 0
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for result in pages.get(lesson.id, ()):
                page = export.out / result.page
                if not page.is_file():
                    continue
                inside = name(result)
                if not inside or inside in archive.namelist():
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
        for result in pages.get(lesson.id, ()):
            if result.lesson != lesson.id:
                message = _(
                    "{lesson}: the feedback of {student} is in {zip}, since it was handed in with "
                    "that assignment"
                )
                zip = f"feedback-{lesson.id}.zip"
                export.told.append(
                    message.format(lesson=result.lesson, student=result.student, zip=zip)
                )


def scaled(total: float, most: float, possible: float | None) -> str:
    """A total as the LMS counts it, which may be out of another number of points."""
    if out_of := _other_scale(most, possible):
        total = hundredths(total * out_of / most)
    return number(total)


def _other_scale(most: float, possible: float | None) -> float | None:
    """What the LMS counts out of, if that is not what the course does."""
    return possible if possible and most and abs(possible - most) > SAME else None


@dataclass(frozen=True)
class Replaced:
    """A grade that a sheet had `before`, and the one that was `written` in its place."""

    student: str
    before: str
    total: float
    written: str

    @property
    def change(self) -> float:
        """By how many points; 0 also where it was no number."""
        was = read_points(self.before)
        return self.total - was if was is not None else 0.0

    @property
    def is_other(self) -> bool:
        return self.before != "" and read_points(self.before) != self.total


def note_replaced(export: Export, lesson: Lesson, replaced: Iterable[Replaced]) -> None:
    """Note the grades that the LMS has and that the upload changes, the largest drops first."""
    changed = sorted(
        (row for row in replaced if row.is_other), key=lambda row: (row.change, row.student)
    )
    if not changed:
        return
    message = ngettext(
        "{lesson}: replaces {count} grade that the sheet has, {drops} of them by a lower one: "
        "{changes}",
        "{lesson}: replaces {count} grades that the sheet has, {drops} of them by a lower one: "
        "{changes}",
        len(changed),
    )
    drops = sum(row.change < 0 for row in changed)
    changes = short_list([f"{row.student} {row.before} -> {row.written}" for row in changed])
    export.told.append(
        message.format(lesson=lesson.id, count=len(changed), drops=drops, changes=changes)
    )


def note_conversion(export: Export, lesson: Lesson, possible: float | None) -> None:
    """Note that totals were converted, where they were."""
    most = export.most(lesson)
    if out_of := _other_scale(most, possible):
        message = _(
            "{lesson}: the LMS counts out of {possible}, the course out of {most}; totals were "
            "converted"
        )
        export.told.append(
            message.format(lesson=lesson.id, possible=number(out_of), most=number(most))
        )


def note_who_is_missing(
    export: Export, lesson: Lesson, seen: set[str], ids: Collection[str]
) -> None:
    """Note whose totals are not in the LMS's file, which has these ids."""
    results = export.of(lesson)
    note_without_total(export, results)
    left = [
        result.student
        for result in results
        if result.total is not None and result.student not in seen
    ]
    if left:
        near, asked = dict(respelled(left, ids)), _("{student} (is that {id} there?)")
        message = _("{lesson}: no grade for {students}: they are not in {path}")
        students = ", ".join(
            asked.format(student=student, id=near[student]) if student in near else student
            for student in left
        )
        export.failed.append(message.format(lesson=lesson.id, path=export.sheet, students=students))


def note_without_total(export: Export, results: Iterable[SubmissionResult]) -> None:
    """Note of which of these results there is no total to export."""
    message = _("{lesson}: no grade for {student}: the grader failed, so there is no total")
    export.failed += [
        message.format(lesson=result.lesson, student=result.student)
        for result in results
        if result.total is None
    ]


def read_points(text: Any) -> float | None:
    """A number as an LMS writes it; None where it is none."""
    try:
        return float(str(text).strip().replace(",", "."))
    except ValueError:
        return None
