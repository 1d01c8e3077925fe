"""What a student's feedback page shows, gathered from the graded notebook.

The page is made of plain strings, which the template escapes. There are two exceptions: a student's
prose, rendered from markdown and sanitized, so that no script, style, image or link remains; and
grids of numbers, whose texts are escaped as their tables are written.
"""

import html
from typing import Any

import bleach
from nbconvert.filters import markdown2html
from nbformat import NotebookNode

from autograder.grading.escape import plain
from autograder.grading.model import Graded, advice, overall, tests_passed
from autograder.language import _
from transformer_workbook.verdicts.grids import as_html

from .pages import render
from .tables import number, points_of

TAGS = {
    "p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "br", "hr", "span", "div",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "sub", "sup",
}  # fmt: skip

Says = dict[tuple[str, str], str]  # what a misconception misses, by component and name


def page(notebook: NotebookNode, nbgrader: dict[str, Any], title: str, says: Says) -> str:
    """A student's page on one graded notebook, as HTML.

    `says` explains misconceptions.
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
    shown_parts = list(parts.by_name.values())
    shown = {
        "student": nbgrader["student"],
        "lesson": nbgrader["assignment"],
        "title": title or nbgrader["notebook"],
        "score": number(sum(part["score"] for part in shown_parts if part["score"] is not None)),
        "max_score": number(sum(part["points"] for part in shown_parts)),
        "late": number(nbgrader.get("late_penalty") or 0),
        "receipts": list(notebook.metadata.get("workbook", {}).get("receipts", [])),
        "parts": [_with_words(part, says) for part in shown_parts],
        "questions": questions,
    }
    return render("feedback.html.j2", page=shown)


def page_of_problem(result: Graded, title: str) -> str:
    """A student's page on what could not be graded: what it is, and what to do."""
    assert result.problem
    shown = {
        "student": result.student,
        "lesson": result.lesson,
        "title": title or _("What you handed in"),
        "points": number(result.max_score),
        "original": result.original.rpartition("/")[2],
        "problem": result.problem.text,
        "steps": advice(result.problem),
        "receipts": [receipt.text for receipt in result.receipts],
    }
    return render("not_graded.html.j2", page=shown)


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
        self._answers[marks.grade_id] = {"code": plain(cell.source), "comment": plain(comment)}

    def test(self, cell: NotebookNode) -> None:
        marks = cell.metadata.nbgrader
        known = cell.metadata.get("workbook", {})
        name = marks.grade_id.removeprefix("test_")
        verdicts = [dict(verdict) for verdict in known.get("verdicts", [])]
        self.by_name[name] = {
            "name": name,
            "score": None if marks.get("waiting") else float(marks.get("score") or 0),
            "points": float(marks.points),
            "verdicts": verdicts,
            "output": "" if verdicts else plain(_output(cell)),
            "code": "",
            "comment": "",
        } | self._answers.get(name, {})


def _with_words(part: dict[str, Any], says: Says) -> dict[str, Any]:
    verdicts = part["verdicts"]
    passed = sum(verdict["status"] == "passed" for verdict in verdicts)
    result = _("All tests passed.")
    if passed < len(verdicts):
        result = tests_passed(passed, len(verdicts))
    named = dict.fromkeys(
        verdict["misconception"] for verdict in verdicts if verdict["misconception"]
    )
    return part | {
        "status": overall(verdict["status"] for verdict in verdicts) if verdicts else "",
        "result": result if verdicts else "",
        "points_of": _points_of(part["score"], part["points"]),
        "mistakes": [
            {
                "title": _("A known mistake: {name}").format(name=spoken(name)),
                "says": says.get((part["name"], name), ""),
            }
            for name in named
        ],
        "verdicts": [_test(verdict, says.get((part["name"], verdict["misconception"]), ""))
                     for verdict in verdicts],
    }  # fmt: skip


def _test(verdict: dict[str, Any], explained: str) -> dict[str, Any]:
    return verdict | {
        "points_of": _points_of(verdict["score"], verdict["max_score"]),
        # The explanation of a misconception stands above its tests, once.
        "message": verdict["message"].removesuffix(explained).strip(),
        "known": spoken(verdict["misconception"]),
        "grids": as_html(verdict.get("grids", [])),
    }


def _points_of(score: float | None, points: float) -> str:
    if score is None:
        return _("not graded yet ({max_score} points)").format(max_score=number(points))
    return points_of(score, points)


def spoken(name: str) -> str:
    """A misconception's name in words."""
    return name.replace("-", " ")


def _question(cell: NotebookNode) -> dict[str, Any]:
    marks = cell.metadata.nbgrader
    score = None if marks.get("waiting", False) else marks.get("score") or 0
    return {
        "name": marks.grade_id.removeprefix("question_"),
        "answer": clean(cell.source),
        "points_of": _points_of(score, marks.points),
        "comment": plain(marks.get("comment") or ""),
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


LONGEST_PROSE = 20_000  # characters; the time to render markdown may grow with their square


def clean(markdown: str) -> str:
    """A student's prose as HTML in which nothing can run, load or lead anywhere."""
    if len(markdown) > LONGEST_PROSE:
        return f"<pre>{html.escape(markdown)}</pre>"
    return str(bleach.clean(markdown2html(markdown), tags=TAGS, attributes={}, strip=False))
