"""The contents of a student's feedback page, from the graded notebook.

The page is made of plain strings, which the template escapes. There are two exceptions: prose of
students and comments of instructors, rendered from markdown and sanitized, so that no script,
style, image or link remains; and grids of numbers, whose texts are escaped as their tables are
written.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import bleach
from nbformat import NotebookNode

from autograder.language import _, ngettext, speaking
from autograder.lesson.components import title_of
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.points import component_of
from autograder.lesson.translation import ENGLISH
from autograder.results.remarks import advice
from autograder.results.safe_names import plain
from autograder.results.submission import (
    NO_RESPONSE,
    GradebookEntry,
    Marks,
    SubmissionResult,
    overall,
    tests_passed,
)
from autograder.results.tables import number, points_of
from autograder.submissions.prose import TAGS, rendered
from transformer_workbook.diagnosis.grids import as_html

from .class_statistics import spoken
from .pages import render


@dataclass(frozen=True)
class PageTexts:
    """The course's texts on a page: the lesson's title, and `late`, the rule on late submissions.

    Times are shown in `timezone`, or in UTC.
    """

    title: str = ""
    late: str = ""
    timezone: tzinfo | None = None

    @classmethod
    def of(cls, course: Course, lesson: Lesson, language: str = "") -> "PageTexts":
        title = lesson.catalogue(language or ENGLISH).say(lesson.title)
        with speaking(language):
            return cls(title, course.late.text, course.timezone)


def page(
    notebook: NotebookNode,
    student: str,
    lesson: str,
    entry: GradebookEntry | None,
    words: PageTexts,
) -> str:
    """A student's page on one notebook with test results and grades, as HTML, in its language.

    `lesson` is its id, and `entry` what the gradebook holds of the submission.
    """
    workbook = notebook.metadata.get("workbook", {})
    with speaking(workbook.get("language", "")):
        parts, questions, written = _Parts(), [], []
        for cell in notebook.cells:
            if cell.metadata.get("workbook", {}).get("written"):
                written.append(clean(cell.source))
            metadata = cell.metadata.get("nbgrader", {})
            if metadata.get("grade") and metadata.get("solution"):
                questions.append(_question(cell, workbook.get("lost", ())))
            elif metadata.get("grade"):
                parts.test(cell)
            elif metadata.get("solution"):
                parts.answer(cell)
        # A test that the instructor gives no points is not the student's concern.
        shown_parts = [part for part in parts.by_name.values() if part["points"]]
        earned = sum(part["score"] or 0 for part in [*shown_parts, *questions])
        penalty = entry.marks.penalty if entry else 0.0
        times = (entry.submitted, entry.due) if entry else ("", "")
        shown = {
            "student": id_and_name(student, entry.name if entry else ""),
            "lesson": lesson,
            "title": words.title or lesson,
            "score": number(max(0, earned - penalty)),
            "max_score": number(sum(part["points"] for part in [*shown_parts, *questions])),
            "made_of": _score_lines(shown_parts, questions, entry, penalty),
            "waiting": _waiting(questions),
            "late": _time_sentences(
                *times, workbook.get("late", False), penalty if earned else None, words
            ),
            "version": workbook.get("version", ""),
            "repairs": list(workbook.get("repairs", [])),
            # What failed comes first.
            "parts": sorted(
                map(_add_sentences, shown_parts), key=lambda part: part["status"] == "passed"
            ),
            "questions": questions,
            "written": written,
        }
        return render("feedback.html.j2", page=shown)


def id_and_name(student: str, name: str) -> str:
    """The student's id, with the name where the roster has one."""
    return f"{name} ({student})" if name else student


def page_of_problem(result: SubmissionResult, words: PageTexts) -> str:
    """A student's page on a submission that could not be graded: what it is, and what to do."""
    assert result.problem
    shown = {
        "student": id_and_name(result.student, result.name),
        "lesson": result.lesson,
        "title": words.title or _("What you handed in"),
        "late": _time_sentences(result.submitted, result.due, result.late, None, words),
        "points": number(result.max_score),
        "original": result.original.rpartition("/")[2],
        "problem": result.problem.text,
        "steps": advice(result.problem),
        "repairs": [repair.text for repair in result.repairs],
    }
    return render("not_graded.html.j2", page=shown)


Table = list[dict[str, Any]]


def _score_lines(
    parts: Table, questions: Table, entry: GradebookEntry | None, penalty: float
) -> Table:
    """The lines that add up to the score, if it is not the tests' alone."""
    marks = entry.marks if entry else Marks()
    tests = sum(part["score"] or 0 for part in parts) - marks.by_hand
    lines = [(_("Tests"), points_of(tests, sum(part["points"] for part in parts)))]
    if questions:
        prose = sum(question["score"] or 0 for question in questions)
        most = sum(question["points"] for question in questions)
        is_open = [row["points"] for row in questions if not row["answer"] or row["score"] is None]
        points = _("{points}, {open} open").format(
            points=points_of(prose, most), open=number(sum(is_open))
        )
        lines.append((_("Answers in prose"), points if is_open else points_of(prose, most)))
    if marks.by_hand:
        lines.append((_("Changed by hand"), f"{round(marks.by_hand, 6):+g}"))
    if penalty:
        lines.append((_("Taken off for lateness"), f"−{number(penalty)}"))
    return [{"what": words, "points": points} for words, points in lines if len(lines) > 1]


def _waiting(questions: Table) -> str:
    """How many answers in prose nobody has marked as they are now; empty for none."""
    count = sum(question["score"] is None or question["is_earlier"] for question in questions)
    waiting = ngettext(
        "{count} answer in prose is not marked yet: its points may still come.",
        "{count} answers in prose are not marked yet: their points may still come.",
        count,
    )
    return waiting.format(count=count) if count else ""


def _time_sentences(
    submitted: str, due_by: str, late_by_lms: bool, penalty: float | None, words: PageTexts
) -> list[str]:
    """When it was submitted, and the points that costs, in sentences; none if nothing is known.

    `penalty` is None where there are no points to take any off.
    """
    marked_late = [_("Marked late where you handed it in.")] if late_by_lms else []
    if not submitted:
        return marked_late
    submitted_at = datetime.fromisoformat(submitted)
    sentences = [_("Handed in: {moment}.").format(moment=moment_in(submitted_at, words.timezone))]
    if not due_by:
        return [*sentences, *marked_late]
    due = datetime.fromisoformat(due_by)
    if submitted_at <= due:
        return sentences
    late = _("That is {duration} after the deadline, {due}.")
    due_there = moment_in(due, words.timezone)
    sentences.append(late.format(duration=duration(submitted_at - due), due=due_there))
    if penalty:
        taken = ngettext("{count} point was taken off.", "{count} points were taken off.",
                         1 if penalty == 1 else 2)  # fmt: skip
        sentences.append(taken.format(count=number(penalty)))
    elif penalty is not None and words.late:
        # The rule alone would read as if it had been applied; somebody may have lifted the penalty.
        return [*sentences, _("No points were taken off.")]
    return [*sentences, words.late] if words.late else sentences


def moment_in(moment: datetime, timezone: tzinfo | None) -> str:
    """A moment as people write it, with the name of its time zone."""
    return f"{moment.astimezone(timezone or UTC):%Y-%m-%d %H:%M %Z}"


def duration(time: timedelta) -> str:
    """How long that is: days, hours, and minutes that have begun, as penalties count."""
    hours, minutes = divmod(max(1, math.ceil(time.total_seconds() / 60)), 60)
    days, hours = divmod(hours, 24)
    parts = [
        (days, ngettext("{count} day", "{count} days", days)),
        (hours, ngettext("{count} hour", "{count} hours", hours)),
        (minutes, ngettext("{count} minute", "{count} minutes", minutes)),
    ]
    return " ".join(words.format(count=count) for count, words in parts if count)


class _Parts:
    """Components by name, each with the contents of its answer cell and its test cell."""

    def __init__(self) -> None:
        self.by_name: dict[str, dict[str, Any]] = {}
        self._answers: dict[str, dict[str, Any]] = {}

    def answer(self, cell: NotebookNode) -> None:
        metadata = cell.metadata.nbgrader
        comment = metadata.get("comment") or ""
        # The grader's own comment is shown with the tests already.
        if comment == cell.metadata.get("workbook", {}).get("comment"):
            comment = ""
        self._answers[metadata.grade_id] = {"code": plain(cell.source), "comment": clean(comment)}

    def test(self, cell: NotebookNode) -> None:
        metadata = cell.metadata.nbgrader
        workbook = cell.metadata.get("workbook", {})
        name = component_of(metadata.grade_id)
        test_results = [
            dict(tree) for tree in workbook.get("test_results", ()) if tree["max_score"]
        ]
        self.by_name[name] = {
            "name": name,
            "title": title_of(name),
            "is_code": title_of(name) == name,
            "score": None if metadata.get("waiting") else float(metadata.get("score") or 0),
            "points": float(metadata.points),
            "test_results": test_results,
            "output": "" if test_results else plain(_output(cell)),
            "code": "",
            "comment": "",
        } | self._answers.get(name, {})


def _add_sentences(part: dict[str, Any]) -> dict[str, Any]:
    """A part with its cause and its tests: the first that fails, the others, and those passed."""
    test_results = [shown_test(test_result) for test_result in part["test_results"]]
    passed = [test_result for test_result in test_results if test_result["status"] == "passed"]
    failing = [test_result for test_result in test_results if test_result["status"] != "passed"]
    # Show the cause with the test that has it.
    first = next(
        (test_result for test_result in failing if test_result["cause"]), next(iter(failing), None)
    )
    more = [test_result for test_result in failing if test_result is not first]
    result = tests_passed(len(passed), len(test_results)) if failing else _("All tests passed.")
    more_fail = ngettext("{count} more test fails", "{count} more tests fail", len(more))
    that_passed = ngettext("{count} test passed", "{count} tests passed", len(passed))
    names = dict.fromkeys(test_result["misconception"] for test_result in failing)
    statuses = [test_result["status"] for test_result in test_results]
    by_hand = (part["score"] or 0) - sum(test_result["score"] or 0 for test_result in test_results)
    by_hand = round(by_hand, 6) if test_results and part["score"] is not None else 0
    return part | {
        "status": overall(statuses) if statuses else "",
        "result": result if test_results else "",
        "points_of": _points_of(part["score"], part["points"]),
        "by_hand": _("Changed by hand: {points}").format(points=f"{by_hand:+g}") if by_hand else "",
        "mistakes": [_("A known mistake: {name}").format(name=spoken(name))
                     for name in names if name],
        "cause": first["cause"] if first else "",
        "first": first,
        "more": more,
        "more_fail": more_fail.format(count=len(more)),
        "passed": passed,
        "that_passed": that_passed.format(count=len(passed)),
    }  # fmt: skip


def shown_test(test_result: dict[str, Any]) -> dict[str, Any]:
    return test_result | {
        "test": _(test_result["test"]),
        "points_of": _points_of(test_result["score"], test_result["max_score"]),
        "grids": as_html(test_result["grids"]),
    }


def _points_of(score: float | None, points: float) -> str:
    if score is None:
        return _("not graded yet ({max_score} points)").format(max_score=number(points))
    return points_of(score, points)


def _question(cell: NotebookNode, lost: Collection[str]) -> dict[str, Any]:
    metadata = cell.metadata.nbgrader
    score = None if metadata.get("waiting", False) else metadata.get("score") or 0
    comment = metadata.get("comment") or ""
    is_open = comment == NO_RESPONSE
    return {
        "name": metadata.grade_id.removeprefix("question_"),
        "answer": "" if is_open else clean(cell.source),
        "is_lost": metadata.grade_id in lost,
        "score": score,
        "points": metadata.points,
        "points_of": _points_of(score, metadata.points),
        "comment": "" if is_open else clean(comment),
        "is_earlier": metadata.get("earlier", False),
    }


def _output(cell: NotebookNode) -> str:
    texts = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            texts.append(output.text)
        elif output.output_type == "error":
            texts.append(f"{output.ename}: {output.evalue}")
        elif output.output_type == "display_data":
            texts.append(output.data.get("text/plain", ""))
    return "\n".join(texts)[:20_000]


def clean(markdown: str) -> str:
    """Prose as sanitized HTML, without scripts, images and links.

    An answer is HTML already, since the notebook was rebuilt; a comment is Markdown.
    """
    html = markdown if markdown.startswith("<div>") else rendered(markdown, links=False)
    return str(bleach.clean(html, tags=TAGS | {"a"}, attributes={}, strip=False))
