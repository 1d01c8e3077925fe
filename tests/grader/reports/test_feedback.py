"""The page that a student reads: the cause first, one failing test, all others folded."""

import re
from dataclasses import asdict, replace
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.judging.judge import TestResult
from autograder.nbgrader.graded_notebook import comment_on, put_results_in_cell
from autograder.reports import class_statistics
from autograder.reports.feedback import PageTexts, duration, page
from autograder.reports.pages import with_code
from autograder.results.submission import GradebookEntry, Marks, SubmissionResult
from autograder.results.tables import write_tables

NAME = "LayerNorm"
GRID = {"caption": "The result: returned (1,)", "head": ["0"], "rows": [["", [["0.5", "", False]]]],
        "legend": []}  # fmt: skip


def outcome(test: str, status: str = "failed", **more) -> TestResult:
    score = 1.0 if status == "passed" else 0.0
    message = "" if status == "passed" else f"Tested: {test}. `{test}` differs."
    return replace(TestResult(NAME, test, score, 1.0, status, "", message), **more)


def notebook_with(*test_results: TestResult | dict) -> NotebookNode:
    """A notebook with one component, which has these test results."""
    trees = [one if isinstance(one, dict) else asdict(one) for one in test_results]
    marks = {"grade": True, "solution": False, "grade_id": f"test_{NAME}"}
    marks |= {"points": len(trees), "score": sum(tree["score"] for tree in trees)}
    cell = new_code_cell(metadata={"nbgrader": marks, "workbook": {"test_results": trees}})
    return new_notebook(cells=[cell])


def page_of(notebook: NotebookNode) -> str:
    return page(notebook, "Amina", "03-add-and-norm", None, PageTexts("Add & norm"))


def shown(*test_results: TestResult | dict) -> str:
    return page_of(notebook_with(*test_results))


class Outline:
    """The levels of the headings, and each text with whether it is folded."""

    def __init__(self, text: str):
        page = BeautifulSoup(text, "html.parser")
        self.levels = [int(tag.name[1]) for tag in page.find_all(re.compile("^h[1-6]$"))]
        self.texts = [
            (" ".join(words.split()), bool(words.find_parent("details")))
            for words in page.find_all(string=str.strip)
        ]

    def place(self, text: str) -> int:
        return next(n for n, (one, _folded) in enumerate(self.texts) if text in one)

    def is_folded(self, text: str) -> bool:
        return self.texts[self.place(text)][1]


CAUSE = "Look at the line `mean = x`: it needs an axis."
FAILING = [
    outcome("fine", "passed"),
    outcome("first", misconception="no-axis", cause=CAUSE, grids=[GRID]),
    outcome("second", misconception="no-axis"),
    outcome("third", "error", misconception="no-axis"),
]


def test_the_cause_comes_first_then_one_failing_test_and_the_others_are_folded():
    outline = Outline(shown(*FAILING))
    places = [
        outline.place(text)
        for text in ("A known mistake: no axis", "Look at the line", "Tested: first",
                     "The result: returned", "2 more tests fail", "Tested: second",
                     "Tested: third", "1 test passed", "fine")
    ]  # fmt: skip
    assert places == sorted(places)
    for text in ("A known mistake", "Look at the line", "Tested: first", "The result: returned"):
        assert not outline.is_folded(text)
    for text in ("Tested: second", "Tested: third", "fine"):
        assert outline.is_folded(text)
    assert outline.levels[0] == 1, "headings are in order"
    assert all(b <= a + 1 for a, b in zip(outline.levels, outline.levels[1:], strict=False))


def test_what_failed_comes_first_and_its_code_is_shown_in_colors():
    notebook = notebook_with(outcome("right", "passed"))
    failing = notebook_with(outcome("wrong"))
    failing.cells[0].metadata.nbgrader.grade_id = "test_Later"
    answer = {"solution": True, "grade": False, "grade_id": "Later"}
    code = 'return "<script>"'
    notebook.cells += [new_code_cell(code, metadata={"nbgrader": answer}), *failing.cells]
    text = page_of(notebook)
    outline = Outline(text)
    assert outline.place("Later") < outline.place("LayerNorm")
    assert '<span class="k">return</span>' in text and "<script>" not in text
    assert "<details open>" in text


def test_points_given_by_hand_are_told_beside_what_the_tests_earned():
    notebook = notebook_with(outcome("a", "timeout"))
    assert "Changed by hand" not in page_of(notebook)
    notebook.cells[0].metadata.nbgrader.score = 1.0
    told = Outline(page_of(notebook))
    assert told.place("out of time") < told.place("Changed by hand: +1.")


@pytest.mark.parametrize("comment", ["No response.", "Say more."])
def test_a_question_that_was_left_as_it_was_is_said_to_be_open(comment):
    marks = {"grade": True, "solution": True, "grade_id": "question_1", "points": 2, "score": 0}
    cell = new_markdown_cell("*Write.*", metadata={"nbgrader": marks | {"comment": comment}})
    said = page_of(new_notebook(cells=[cell]))
    is_open = comment == "No response."
    assert ("You have not answered this question." in said) == is_open
    assert ("Comment" in said) != is_open and ("Write." in said) != is_open


@pytest.mark.parametrize(
    ("time", "said"),
    [
        (timedelta(hours=24, seconds=20), "1 day 1 minute"),
        (timedelta(hours=24, minutes=30), "1 day 30 minutes"),
        (timedelta(days=3, hours=16, minutes=2), "3 days 16 hours 2 minutes"),
        (timedelta(hours=2), "2 hours"),
        (timedelta(seconds=1), "1 minute"),
    ],
)
def test_lateness_is_told_to_the_minute_that_has_begun(time, said):
    """Each day that has begun costs points: 24 hours and a moment are not one day."""
    assert duration(time) == said


@pytest.mark.parametrize(("status", "is_free"), [("passed", True), ("failed", False)])
def test_the_rule_on_lateness_is_told_while_there_is_nothing_to_take_off(status, is_free):
    times = "2026-10-06T22:30:00+00:00", "2026-10-05T22:00:00+00:00"
    entry = GradebookEntry(Marks(), *times, {}, "", "")
    words = PageTexts(late="A day costs 10 %.")
    text = page(notebook_with(outcome("a", status)), "Amina", "03-add-and-norm", entry, words)
    assert ("No points were taken off." in text) == is_free
    assert ("A day costs 10 %." in text) != is_free


def test_the_cause_is_said_once_and_only_what_passed_is_folded():
    text = shown(FAILING[1])
    assert text.count("it needs an axis") == 1
    assert "more test" not in text and "<details>" not in text
    outline = Outline(shown(outcome("one", "passed"), outcome("two", "passed")))
    assert outline.is_folded("two") and not outline.is_folded("All tests passed")


def test_code_is_marked_as_code_and_no_backquote_is_left():
    text = shown(*FAILING)
    assert "<code>mean = x</code>" in text and "<code>first</code> differs" in text
    assert "`" not in text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a `b` and `c`.", "a <code>b</code> and <code>c</code>."),
        ("`x` < `\"'&`", "<code>x</code> &lt; <code>&#34;&#39;&amp;</code>"),
        ("</code>`</code>", "&lt;/code&gt;`&lt;/code&gt;"),
        ("one ` alone", "one ` alone"),
        ("``", "``"),
    ],
)
def test_what_is_in_backquotes_is_code_and_all_is_escaped(text, html):
    assert with_code(text) == html


def test_tables_and_comments_say_message_and_cause(tmp_path):
    result = SubmissionResult("Amina", "03-add-and-norm", 4.0, tuple(FAILING))
    write_tables(tmp_path, [result], [])
    table = (tmp_path / "grades.csv").read_text()
    assert f"{FAILING[1].message} {CAUSE}" in table and table.count(CAUSE) == 1
    comment = comment_on(FAILING)
    assert comment.startswith(CAUSE) and comment.count(CAUSE) == 1
    assert "Tested: third" in comment
    cell = new_code_cell(metadata={"nbgrader": {"points": 4}})
    put_results_in_cell(cell, FAILING)
    shown = cell.outputs[0].data
    assert CAUSE in shown["text/plain"] and "<code>mean = x</code>" in shown["text/html"]


def test_the_report_tells_the_cause_of_what_has_no_name(hand):
    name = hand.components[0]
    test_results = [
        replace(outcome("raises", "error", cause="The cause."), component=name),
        replace(outcome("fails"), component=name),
    ]
    (row,) = class_statistics.unexplained(
        hand.lesson, [SubmissionResult("a", hand.lesson.id, 4.0, tuple(test_results))]
    )
    assert row["of"][0]["message"] == f"{test_results[1].message} The cause."
