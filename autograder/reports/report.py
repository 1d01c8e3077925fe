"""The report on a class: report.html, one page that needs no other file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.files import replace_file
from autograder.grading.run import confinement_note
from autograder.language import _, ngettext
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.results.safe_names import SECTIONS
from autograder.results.submission import UNTRIED, SubmissionResult
from autograder.results.tables import in_order, number
from transformer_workbook import __version__

from . import class_statistics, over_the_term
from .class_statistics import is_absent
from .feedback import duration, id_and_name, moment_in
from .pages import render, script
from .similarity import read_prose, similar

# With these statuses, the test results may not reflect what the student wrote.
FOR_A_PERSON = ("grader_fault", "timeout", "out_of_memory")
LEFT_OUT = ("cell_timeout", "cell_died", "cell_out_of_memory")
# Repairs of files that may be incomplete: an instructor has to know whose they are.
NOT_WHOLE = ("cut", "damaged", "conflict", "script", "markdown", "page")
WRONG_LESSON = ("unknown_lesson", "which_lesson")


def needs_a_person(result: SubmissionResult) -> bool:
    """Whether an instructor should look at it: it may not have been fully graded."""
    if is_absent(result):
        return False
    cause = result.problem or result.remarks or _left_out(result) or _is_zero_with_work(result)
    return bool(cause) or result.status in FOR_A_PERSON


def what_happened(result: SubmissionResult) -> str:
    """The message, and why a person should look at it."""
    zero = [_("No points, though answers were written.")] if _is_zero_with_work(result) else []
    return " ".join([result.message, *zero, *_left_out(result)])


def _is_zero_with_work(result: SubmissionResult) -> bool:
    return result.score == 0 and any(test.status not in UNTRIED for test in result.counted)


def _left_out(result: SubmissionResult) -> list[str]:
    return [repair.text for repair in result.repairs if repair.key in LEFT_OUT]


def write_report(
    out: Path,
    graded: list[SubmissionResult],
    course: Course,
    told: Sequence[str] = (),
    has_roster: bool = False,
) -> Path:
    """Write OUT/report.html; its path.

    `told` are sentences for its top. Without a roster, nobody is known who handed in nothing.
    """
    page = render(
        "report.html.j2",
        **contents(graded, course, out),
        told=told,
        has_roster=has_roster,
        confined=confinement_note.sentence(out / "work"),
        script=script("tables.js"),
    )
    replace_file(out / "report.html", page)
    return out / "report.html"


def contents(graded: list[SubmissionResult], course: Course, out: Path) -> dict[str, Any]:
    """What the report shows, as plain data; it links to the feedback in OUT."""
    lessons = list(course.lessons)
    graded = in_order(graded, lessons)
    submitted = [result for result in graded if not is_absent(result)]
    present = [
        lesson for lesson in lessons if any(result.lesson == lesson.id for result in submitted)
    ]
    people = _People(out, graded)
    lesson_tables = [_lesson_tables(lesson, submitted, people) for lesson in present]
    tables = {
        name: [row for table in lesson_tables for row in table[name]]
        for name in ("components", "misconceptions", "unexplained", "similar")
    }
    by_student = _by_student(graded)
    points = {lesson.id: number(_points(lesson, submitted)) for lesson in present}
    return tables | {
        "title": course.title,
        "term": over_the_term.lesson_by_lesson(present, by_student) if len(present) > 1 else [],
        "behind": [
            row | people.columns(row["result"])
            for row in over_the_term.behind(present, by_student)
        ],
        "shared": over_the_term.shared(tables["misconceptions"]),
        "made": _counted(len(submitted), len({result.student for result in submitted})),
        "lessons": [
            {"id": lesson.id, "number": lesson.id[:2], "points": points[lesson.id]}
            for lesson in present
        ],
        "histograms": [table["histogram"] for table in lesson_tables],
        "rows": [_row(of, points, people) for of in by_student.values()],
        "sections": _sections({result.section for result in graded} - {""}),
        "for_a_person": [
            people.columns(result) | {"status": result.status, "message": what_happened(result)}
            for result in submitted
            if needs_a_person(result)
        ],
        "waiting": [
            {"lesson": lesson.id, "count": count}
            for lesson in present
            if (count := _waiting(submitted, lesson))
        ],
        "absent": [
            {"lesson": lesson.id, "students": [people.display_name(student) for student in missing]}
            for lesson in lessons
            if (missing := _absent(graded, lesson))
        ],
        "handed_in": [
            people.columns(result) | {"kind": kind, "text": text}
            for result in submitted
            for kind, text in _irregularities(result, course)
        ],
        "repairs": Counter(
            repair.text for result in submitted for repair in result.repairs
        ).most_common(),
    }  # fmt: skip


class _People:
    """How students are named in the report, and where their feedback is."""

    def __init__(self, out: Path, graded: list[SubmissionResult]):
        self.out = out
        self._by_id = {result.id: result for result in graded}

    def display_name(self, result: SubmissionResult) -> str:
        return id_and_name(result.student, result.name)

    def columns(self, result: SubmissionResult) -> dict[str, str]:
        """A student, the lesson, and the address of the feedback; empty where there is none."""
        has_page = (self.out / result.page).is_file()
        return {
            "student": self.display_name(result),
            "lesson": result.lesson,
            "page": quote(result.page.as_posix()) if has_page else "",
        }

    def columns_by_id(self, student: str, lesson: str) -> dict[str, str]:
        return self.columns(self._by_id[student, lesson])


def _sections(sections: set[str]) -> list[str]:
    """The sections of students; who is in two that others are in, too, adds no third."""
    parts = {name: set(name.split(SECTIONS)) for name in sections}
    kept = [part if part & sections else {name} for name, part in parts.items()]
    return sorted(set[str]().union(*kept))


def _waiting(graded: list[SubmissionResult], lesson: Lesson) -> int:
    """How many answers of the lesson wait to be marked."""
    return sum(result.marks.waiting for result in graded if result.lesson == lesson.id)


def _absent(graded: list[SubmissionResult], lesson: Lesson) -> list[SubmissionResult]:
    """Those who have not handed in the lesson."""
    return [result for result in graded if result.lesson == lesson.id and is_absent(result)]


def _lesson_tables(
    lesson: Lesson, graded: list[SubmissionResult], people: _People
) -> dict[str, Any]:
    """The statistics and tables of one lesson."""
    results = [result for result in graded if result.lesson == lesson.id]
    judged = [result for result in results if result.test_results]
    mistakes = class_statistics.misconceptions(lesson, judged)
    unexplained = class_statistics.unexplained(lesson, judged)
    return {
        "histogram": class_statistics.histogram(lesson, results),
        "components": class_statistics.components(lesson, judged),
        "misconceptions": [
            row | {"students": [people.columns(student) for student in row["students"]]}
            for row in mistakes
        ],
        "unexplained": [
            row | {"of": [entry | people.columns(entry["result"]) for entry in row["of"]]}
            for row in unexplained
        ],
        "similar": [
            {"lesson": lesson.id, "share": round(100 * pair.share), "passage": pair.passage,
             "students": [people.columns_by_id(student, lesson.id) for student in pair.students]}
            for pair in similar(lesson, read_prose(people.out, judged, lesson))
        ],
    }  # fmt: skip


def _counted(submissions: int, students: int) -> str:
    """How many submissions and students the report covers."""
    of_students = ngettext("{count} student", "{count} students", students)
    # Translators: {students} is "3 students".
    made = ngettext(
        "{count} submission of {students}", "{count} submissions of {students}", submissions
    )
    return made.format(count=submissions, students=of_students.format(count=students))


def _points(lesson: Lesson, graded: Iterable[SubmissionResult]) -> float:
    return max((result.max_total for result in graded if result.lesson == lesson.id), default=0.0)


def _by_student(graded: list[SubmissionResult]) -> dict[str, dict[str, SubmissionResult]]:
    """The results of each student, by lesson."""
    by_student: dict[str, dict[str, SubmissionResult]] = {}
    for result in graded:
        by_student.setdefault(result.student, {})[result.lesson] = result
    return by_student


def _row(
    by_lesson: dict[str, SubmissionResult], points: Mapping[str, str], people: _People
) -> dict[str, Any]:
    """The row of a student; `points` are those of each lesson."""
    first = next(iter(by_lesson.values()))
    totals = [by_lesson[lesson].total for lesson in points if lesson in by_lesson]
    graded = [total for total in totals if total is not None]
    return {
        "student": people.display_name(first),
        "section": first.section,
        "cells": [_cell(by_lesson.get(lesson), most, people) for lesson, most in points.items()],
        "total": number(sum(graded)) if len(graded) == len(totals) else "",
    }


def _cell(result: SubmissionResult | None, most: str, people: _People) -> dict[str, Any] | None:
    """The points of one submission, with notes; None without a result.

    `most` are the points in the column's heading.
    """
    if result is None:
        return None
    of = number(result.max_total)
    notes = [_("of {points}").format(points=of)] if of != most else []
    notes += [_("late")] if result.is_late else []
    if result.marks.open and result.score is not None:
        note = _("{score} of {max_score} by tests, {open} in prose open")
        note = note.format(
            score=number(result.score + result.marks.by_hand),
            max_score=number(result.max_score),
            open=number(result.marks.open),
        )
        notes.append(note)
    return {
        "absent": is_absent(result),
        "score": "" if result.total is None else number(result.total),
        "of": of,
        "share": round(100 * min(1.0, result.share or 0.0)),
        "status": result.status,
        "page": people.columns(result)["page"],
        "notes": ", ".join(notes),
    }


def _irregularities(result: SubmissionResult, course: Course) -> list[tuple[str, str]]:
    """How a submission differs from a usual one: the kind of each difference, and a sentence."""
    irregularities, timezone = [], course.timezone
    if result.is_late:
        irregularities.append((_("late"), _how_late(result, timezone)))
    elif result.late and not _is_in_extension(result, course):
        text = _(
            "The LMS marked it late, but it came before the deadline here, {due}, so nothing was "
            "taken off. Compare the deadlines."
        )
        due = moment_in(datetime.fromisoformat(result.due), timezone)
        irregularities.append((_("late or not"), text.format(due=due)))
    if result.version not in ("", __version__):
        text = _("Made with version {version} of the course; this is {current}.")
        version = text.format(version=result.version, current=__version__)
        irregularities.append((_("other version"), version))
    for repair in result.repairs:
        if repair.key.startswith("several_"):
            irregularities.append((_("notebooks not graded"), repair.text))
        elif repair.key in NOT_WHOLE:
            irregularities.append((_("damaged or exported file"), repair.text))
        elif repair.key in ("another_lesson", "of_another"):
            irregularities.append((_("wrong lesson"), repair.text))
    if result.problem and result.problem.key in WRONG_LESSON:
        irregularities.append((_("wrong lesson"), result.problem.text))
    return irregularities


def _is_in_extension(result: SubmissionResult, course: Course) -> bool:
    """Whether what came in time came after the lesson's own deadline, the only one an LMS knows."""
    usual = {lesson.id: lesson.due for lesson in course.lessons}.get(result.lesson)
    return usual is not None and datetime.fromisoformat(result.submitted) > usual


def _how_late(result: SubmissionResult, timezone: tzinfo | None) -> str:
    """How late a submission is, and the points that costs."""
    if not result.seconds_late:
        return _("Marked late by the LMS. By how much is not known, so nothing was taken off.")
    text = _("{duration} after the deadline, {due}. Points taken off: {penalty}.")
    return text.format(
        duration=duration(timedelta(seconds=result.seconds_late)),
        due=moment_in(datetime.fromisoformat(result.due), timezone),
        penalty=number(result.marks.penalty),
    )
