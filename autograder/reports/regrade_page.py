"""The page of requests for regrades: OUT/regrades.html, each open one beside its evidence."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.grading.regrades import REGRADES, Decisions, Regrade
from autograder.language import _
from autograder.lesson.components import title_of
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.results.outdir import replace_file
from autograder.results.submission import GradebookEntry, SubmissionResult
from autograder.results.tables import number, points_of

from .feedback import clean, moment_in, shown_test, with_name
from .pages import render
from .students_code import read_answers

REGRADES_PAGE = "regrades.html"


def write_regrades(
    out: Path,
    results: list[SubmissionResult],
    entries: Mapping[Any, GradebookEntry],
    decisions: Decisions,
    course: Course,
) -> int:
    """Write the page; how many requests wait for a decision."""
    by_id = {result.id: result for result in results}
    found = [
        (row, by_id[key], entries[key])
        for row in decisions.regrades.rows
        if (key := (row.student, row.lesson)) in entries and by_id[key].test_results
    ]
    waiting = [
        _request(out, row, result, entry, course)
        for row, result, entry in found
        if not row.is_decided
    ]
    decided = [
        _named(row, result, entry) | decisions.shown(row.student, row.lesson, entry)[row.cell]
        for row, result, entry in found
        if row.is_decided and not decisions.is_waiting(row)
    ]
    not_recorded = [
        _named(row, result, entry) | _to_record(row, entry)
        for row, result, entry in found
        if decisions.is_waiting(row)
    ]
    page = render("regrades.html.j2", title=course.title, waiting=waiting, decided=decided,
                  not_recorded=not_recorded, file=REGRADES)  # fmt: skip
    replace_file(out / REGRADES_PAGE, page)
    return len(waiting)


def _named(row: Regrade, result: SubmissionResult, entry: GradebookEntry) -> dict[str, Any]:
    """Whose request it is, of which part, and where the feedback is."""
    name = row.part.removeprefix("question_")
    return {
        "row": row.line,
        "student": with_name(row.student, entry.name),
        "lesson": row.lesson,
        "part": row.part if row.cell == row.part else title_of(name),
        "is_code": row.cell != row.part and title_of(name) == name,
        "page": result.page.as_posix(),
    }


def _to_record(row: Regrade, entry: GradebookEntry) -> dict[str, str]:
    """A decision that the gradebook does not hold, beside the points that it holds."""
    points = _("Points: {now} now, {decided} decided.").format(
        now=number(entry.points.get(row.cell, 0.0)), decided=number(row.points or 0.0)
    )
    return {"request": row.request, "answer": row.answer, "points": points}


def _request(
    out: Path, row: Regrade, result: SubmissionResult, entry: GradebookEntry, course: Course
) -> dict[str, Any]:
    """A request with its evidence: points, tests or rubric, and what the student wrote."""
    lesson = course.lesson(row.lesson)
    tests = [shown_test(asdict(one)) for one in result.counted if one.component == row.part]
    failing = [test for test in tests if test["status"] != "passed"]
    failing.sort(key=lambda test: not test["cause"])  # the one that the cause is told with first
    answers = read_answers(out, [result], lesson).get(row.student)
    times = {"asked": row.asked, "submitted": result.submitted}
    return _named(row, result, entry) | {
        "request": row.request,
        "points": points_of(entry.points.get(row.cell, 0.0), _most(row, lesson)),
        "most": number(_most(row, lesson)),
        "times": {
            name: moment_in(datetime.fromisoformat(time), course.timezone) if time else ""
            for name, time in times.items()
        },
        "is_newer": row.is_before(result.submitted),
        "failing": failing,
        "passed": [test for test in tests if test["status"] == "passed"],
        "causes": [test["cause"] for test in failing if test["cause"]],
        "code": answers.code.get(row.part, "") if answers else "",
        "prose": clean(answers.prose.get(row.part, "")) if answers else "",
        "rubric": clean(_rubric(row, lesson)),
    }


def _most(row: Regrade, lesson: Lesson) -> float:
    asked = {question.name: question.points for question in lesson.questions}
    return (lesson.points() | asked)[row.part]


def _rubric(row: Regrade, lesson: Lesson) -> str:
    return next((one.rubric for one in lesson.questions if one.name == row.part), "")
