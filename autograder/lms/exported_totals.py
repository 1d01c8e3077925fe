"""What is exported to an LMS or a spreadsheet: totals as it counts them, and pages in a zip."""

import io
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.language import _, ngettext
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.results.outdir import below, replace_file
from autograder.results.safe_names import short_list
from autograder.results.saved_results import result_path
from autograder.results.submission import SAME, SubmissionResult
from autograder.results.tables import hundredths, in_order, number

from .match_recorded_results import by_person
from .roster import Roster


@dataclass
class Export:
    """What is exported, and what could not be: `told` are notes, `failed` what was left out.

    `recorded` are the results of all lessons, also where one `lesson` alone is asked for.
    """

    out: Path
    course: Course
    results: list[SubmissionResult]
    roster: Roster | None
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

    def keep_one_each(self) -> None:
        """Leave out results that another one of the same student of the LMS stands beside.

        That of the roster's id counts. Where none has one, or several do, neither is exported, nor
        where the other was graded later or by hand.
        """
        kept, ids = [], self.roster.by_id if self.roster else {}
        for own in by_person(self.results, self.roster):
            known = [result for result in own if result.student in ids]
            newer = [result for result in own[1:] if self._may_count(result, own[0])]
            if len(own) > 1 and (len(known) != 1 or newer):
                message = _(
                    "{lesson}: no grade for {students}: to the LMS they are one student; grade "
                    "with the roster that has one of them"
                )
                if newer:
                    message = _(
                        "{lesson}: no grade for {students}: to the LMS they are one student, and "
                        "{newer} was graded later, or by hand; enter this grade yourself"
                    )
                names = _(" and ").join(result.student for result in own)
                others = ", ".join(result.student for result in newer)
                self.failed.append(
                    message.format(lesson=own[0].lesson, students=names, newer=others)
                )
                continue
            kept.append(own[0])
            message = _("{lesson}: {other} is {student} in the roster, whose result is exported")
            self.told += [
                message.format(lesson=one.lesson, other=one.student, student=own[0].student)
                for one in own[1:]
            ]
        self.results = in_order(kept, list(self.course.lessons))

    def _may_count(self, result: SubmissionResult, kept: SubmissionResult) -> bool:
        """Whether a result may be the one to export in place of that of the roster's id."""
        marks = result.marks
        return bool(
            marks.by_hand
            or marks.prose
            or result.submitted > kept.submitted
            or self._graded(result) > self._graded(kept)
        )

    def _graded(self, result: SubmissionResult) -> float:
        path = result_path(self.out / "work", result.student, result.lesson)
        return path.stat().st_mtime if path.is_file() else 0.0

    def write(self, path: Path, content: str | bytes) -> None:
        replace_file(path, content)
        self.written.append(path)


def zip_feedback(
    export: Export,
    folder: Path,
    name: Callable[[SubmissionResult], str],
    lesson_of: Callable[[SubmissionResult], str] = lambda result: result.lesson,
) -> None:
    """Write feedback-<lesson>.zip for each lesson; `name` is a page's in it, empty for none.

    `lesson_of` is the lesson whose zip a page belongs into.
    """
    wanted = {lesson.id for lesson in export.lessons}
    others = [one for one in export.recorded if one.lesson not in wanted] if export.lesson else []
    pages: dict[str, list[SubmissionResult]] = {}
    for result in (*export.results, *others):
        pages.setdefault(lesson_of(result), []).append(result)
    for lesson in export.course.lessons:
        if export.lesson and lesson.id != export.lesson:
            continue
        buffer, unnamed, count = io.BytesIO(), list[str](), 0
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for result in pages.get(lesson.id, ()):
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
    others = sorted(
        (one for one in replaced if one.is_other), key=lambda one: (one.change, one.student)
    )
    if not others:
        return
    message = ngettext(
        "{lesson}: replaces {count} grade that the sheet has, {drops} of them by a lower one: "
        "{changes}",
        "{lesson}: replaces {count} grades that the sheet has, {drops} of them by a lower one: "
        "{changes}",
        len(others),
    )
    drops = sum(one.change < 0 for one in others)
    changes = short_list([f"{one.student} {one.before} -> {one.written}" for one in others])
    export.told.append(
        message.format(lesson=lesson.id, count=len(others), drops=drops, changes=changes)
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


def note_no_conversion(export: Export, lesson: Lesson, path: Path) -> None:
    """Note that a file counts as the course does, since the LMS's own file was not given."""
    message = _(
        "{lesson}: in {path}, points are out of {most}, as the course counts. Where the LMS counts "
        "out of another number, give its own file with --sheet"
    )
    most = number(export.most(lesson))
    export.told.append(message.format(lesson=lesson.id, path=path, most=most))


def note_who_is_missing(export: Export, lesson: Lesson, seen: set[str]) -> None:
    """Note whose totals are not in the LMS's file."""
    results = export.of(lesson)
    note_without_total(export, results)
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


def note_without_total(export: Export, results: Iterable[SubmissionResult]) -> None:
    """Note of which of these results there is no total to export."""
    export.failed += [without_total(result) for result in results if result.total is None]


def without_total(result: SubmissionResult) -> str:
    """That there is no total to export."""
    message = _("{lesson}: no grade for {student}: the grader failed, so there is no total")
    return message.format(lesson=result.lesson, student=result.student)


def read_points(text: Any) -> float | None:
    """A number as an LMS writes it; None where it is none."""
    try:
        return float(str(text).strip().replace(",", "."))
    except ValueError:
        return None
