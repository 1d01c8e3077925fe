"""What a student's feedback page shows, gathered from the graded notebook.

The page is made of plain strings, which the template escapes. There are two exceptions: prose of
students and comments of instructors, rendered from markdown and sanitized, so that no script,
style, image or link remains; and grids of numbers, whose texts are escaped as their tables are
written.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import bleach
from nbformat import NotebookNode

from autograder.language import _, ngettext
from autograder.lesson.components import title_of
from autograder.results.model import Entry, Marks, SubmissionResult, advice, overall, tests_passed
from autograder.results.names import plain
from autograder.results.tables import number, points_of
from autograder.submissions.prose import TAGS, rendered
from transformer_workbook.diagnosis.grids import as_html

from .findings import spoken
from .pages import render


@dataclass(frozen=True)
class Words:
    """What the course says on a page: the lesson's title, and what `late` says that lateness costs.

    Times are shown in `timezone`, or in UTC.
    """

    title: str = ""
    late: str = ""
    timezone: tzinfo | None = None


def page(notebook: NotebookNode, nbgrader: dict[str, Any], words: Words) -> str:
    """A student's page on one graded notebook, as HTML.

    `nbgrader` is what nbgrader knows, and what ReadGrades has added to it.
    """
    parts, questions = _Parts(), []
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and marks.get("solution"):
            questions.append(_question(cell))
        elif marks.get("grade"):
            parts.test(cell)
        elif marks.get("solution"):
            parts.answer(cell)
    # A test that the instructor gives no points is not the student's concern.
    shown_parts = [part for part in parts.by_name.values() if part["points"]]
    known = notebook.metadata.get("workbook", {})
    earned = sum(part["score"] or 0 for part in [*shown_parts, *questions])
    penalty = nbgrader.get("late_penalty") or 0
    entry: Entry | None = nbgrader.get("entry")
    times = (entry.submitted, entry.due) if entry else ("", "")
    shown = {
        "student": with_name(nbgrader["student"], entry.name if entry else ""),
        "lesson": nbgrader["assignment"],
        "title": words.title or nbgrader["notebook"],
        "score": number(max(0, earned - penalty)),
        "max_score": number(sum(part["points"] for part in [*shown_parts, *questions])),
        "made_of": _made_of(shown_parts, questions, nbgrader, penalty),
        "waiting": _waiting(questions),
        "late": _handed_in(*times, known.get("late", False), penalty, words),
        "version": known.get("version", ""),
        "receipts": list(known.get("receipts", [])),
        "parts": [_with_words(part) for part in shown_parts],
        "questions": questions,
    }
    return render("feedback.html.j2", page=shown)


def with_name(student: str, name: str) -> str:
    """The student's id, with the name where the roster has one."""
    return f"{name} ({student})" if name else student


def page_of_problem(result: SubmissionResult, words: Words) -> str:
    """A student's page on what could not be graded: what it is, and what to do."""
    assert result.problem
    shown = {
        "student": with_name(result.student, result.name),
        "lesson": result.lesson,
        "title": words.title or _("What you handed in"),
        "late": _handed_in(result.submitted, result.due, result.late, 0.0, words),
        "points": number(result.max_score),
        "original": result.original.rpartition("/")[2],
        "problem": result.problem.text,
        "steps": advice(result.problem),
        "receipts": [receipt.text for receipt in result.receipts],
    }
    return render("not_graded.html.j2", page=shown)


Table = list[dict[str, Any]]


def _made_of(parts: Table, questions: Table, nbgrader: dict[str, Any], penalty: float) -> Table:
    """The lines that add up to the score, if it is not the tests' alone."""
    marks = entry.marks if (entry := nbgrader.get("entry")) else Marks()
    tests = sum(part["score"] or 0 for part in parts) - marks.by_hand
    lines = [(_("Tests"), points_of(tests, sum(part["points"] for part in parts)))]
    if questions:
        prose = sum(question["score"] or 0 for question in questions)
        most = sum(question["points"] for question in questions)
        lines.append((_("Answers in prose"), points_of(prose, most)))
    if marks.by_hand:
        lines.append((_("Changed by hand"), f"{round(marks.by_hand, 6):+g}"))
    if penalty:
        lines.append((_("Taken off for lateness"), f"−{number(penalty)}"))
    return [{"what": what, "points": points} for what, points in lines if len(lines) > 1]


def _waiting(questions: Table) -> str:
    """How many answers in prose nobody has marked yet; empty for none."""
    count = sum(question["score"] is None for question in questions)
    waiting = ngettext(
        "{count} answer in prose is not marked yet: its points may still come.",
        "{count} answers in prose are not marked yet: their points may still come.",
        count,
    )
    return waiting.format(count=count) if count else ""


def _handed_in(
    submitted: str, due_by: str, late_by_lms: bool, penalty: float, words: Words
) -> list[str]:
    """When it was handed in, and what that costs, in sentences; none where nothing is known."""
    marked_late = [_("Marked late where you handed it in.")] if late_by_lms else []
    if not submitted:
        return marked_late
    handed_in = datetime.fromisoformat(submitted)
    said = [_("Handed in: {moment}.").format(moment=moment_in(handed_in, words.timezone))]
    if not due_by:
        return [*said, *marked_late]
    due = datetime.fromisoformat(due_by)
    if handed_in <= due:
        return said
    late = _("That is {duration} after the deadline, {due}.")
    due_there = moment_in(due, words.timezone)
    said.append(late.format(duration=duration(handed_in - due), due=due_there))
    if penalty:
        taken = ngettext("{count} point was taken off.", "{count} points were taken off.",
                         1 if penalty == 1 else 2)  # fmt: skip
        said.append(taken.format(count=number(penalty)))
    return [*said, words.late] if words.late else said


def moment_in(moment: datetime, timezone: tzinfo | None) -> str:
    """A moment as people write it, with the name of its time zone."""
    return f"{moment.astimezone(timezone or UTC):%Y-%m-%d %H:%M %Z}"


def duration(time: timedelta) -> str:
    """How long that is: days and hours, or hours and minutes."""
    minutes = max(1, round(time.total_seconds() / 60))
    days, hours = divmod(minutes // 60, 24)
    said = [
        ngettext("{count} day", "{count} days", days).format(count=days) if days else "",
        ngettext("{count} hour", "{count} hours", hours).format(count=hours) if hours else "",
    ]
    if not days:
        rest = minutes % 60
        minutes_said = ngettext("{count} minute", "{count} minutes", rest).format(count=rest)
        said.append(minutes_said if rest or not hours else "")
    return " ".join(part for part in said if part)


class _Parts:
    """Components by name, each put together from its answer cell and its test cell."""

    def __init__(self) -> None:
        self.by_name: dict[str, dict[str, Any]] = {}
        self._answers: dict[str, dict[str, Any]] = {}

    def answer(self, cell: NotebookNode) -> None:
        marks = cell.metadata.nbgrader
        comment = marks.get("comment") or ""
        # The grader's own comment is shown with the tests already.
        if comment == cell.metadata.get("workbook", {}).get("comment"):
            comment = ""
        self._answers[marks.grade_id] = {"code": plain(cell.source), "comment": clean(comment)}

    def test(self, cell: NotebookNode) -> None:
        marks = cell.metadata.nbgrader
        known = cell.metadata.get("workbook", {})
        name = marks.grade_id.removeprefix("test_")
        known_results = known.get("test_results", known.get("verdicts", []))  # once so called
        test_results = [dict(each) for each in known_results if each["max_score"]]
        self.by_name[name] = {
            "name": name,
            "title": title_of(name),
            "is_code": title_of(name) == name,
            "score": None if marks.get("waiting") else float(marks.get("score") or 0),
            "points": float(marks.points),
            "test_results": test_results,
            "output": "" if test_results else plain(_output(cell)),
            "code": "",
            "comment": "",
        } | self._answers.get(name, {})


def _with_words(part: dict[str, Any]) -> dict[str, Any]:
    """A part with its cause and its tests: the first that fails, the others, and those passed."""
    test_results = [_test(test_result) for test_result in part["test_results"]]
    passed = [test_result for test_result in test_results if test_result["status"] == "passed"]
    failing = [test_result for test_result in test_results if test_result["status"] != "passed"]
    # The cause stands with the test that it is about.
    first = next(
        (test_result for test_result in failing if test_result["cause"]), next(iter(failing), None)
    )
    more = [test_result for test_result in failing if test_result is not first]
    result = tests_passed(len(passed), len(test_results)) if failing else _("All tests passed.")
    more_fail = ngettext("{count} more test fails", "{count} more tests fail", len(more))
    that_passed = ngettext("{count} test passed", "{count} tests passed", len(passed))
    names = dict.fromkeys(test_result["misconception"] for test_result in failing)
    return part | {
        "status": overall(one["status"] for one in test_results) if test_results else "",
        "result": result if test_results else "",
        "points_of": _points_of(part["score"], part["points"]),
        "mistakes": [_("A known mistake: {name}").format(name=spoken(name))
                     for name in names if name],
        "cause": first["cause"] if first else "",
        "first": first,
        "more": more,
        "more_fail": more_fail.format(count=len(more)),
        "passed": passed,
        "that_passed": that_passed.format(count=len(passed)),
    }  # fmt: skip


def _test(test_result: dict[str, Any]) -> dict[str, Any]:
    return test_result | {
        "points_of": _points_of(test_result["score"], test_result["max_score"]),
        "cause": test_result.get("cause", ""),  # earlier versions recorded none
        "grids": as_html(test_result.get("grids", [])),
    }


def _points_of(score: float | None, points: float) -> str:
    if score is None:
        return _("not graded yet ({max_score} points)").format(max_score=number(points))
    return points_of(score, points)


def _question(cell: NotebookNode) -> dict[str, Any]:
    marks = cell.metadata.nbgrader
    score = None if marks.get("waiting", False) else marks.get("score") or 0
    return {
        "name": marks.grade_id.removeprefix("question_"),
        "answer": clean(cell.source),
        "score": score,
        "points": marks.points,
        "points_of": _points_of(score, marks.points),
        "comment": clean(marks.get("comment") or ""),
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
    """Prose as HTML in which nothing can run, load or lead anywhere.

    An answer comes as the HTML that repair has made of it, a comment as Markdown.
    """
    made = markdown if markdown.startswith("<div>") else rendered(markdown, links=False)
    return str(bleach.clean(made, tags=TAGS | {"a"}, attributes={}, strip=False))
