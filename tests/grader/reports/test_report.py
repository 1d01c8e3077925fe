"""The report on a class: what went wrong how often, what to look at, on any screen, offline."""

import base64
import hashlib
import html
import re
from dataclasses import replace
from datetime import UTC, datetime

import nbformat
import pytest

from autograder.judging.judge import TestResult
from autograder.reports import class_statistics
from autograder.reports.pages import breakable
from autograder.reports.report import contents, write_report
from autograder.reports.similarity import read_prose, similar
from autograder.results.remarks import Remark
from autograder.results.submission import Marks, SubmissionResult
from transformer_workbook import __version__


def outcome(
    name: str, status: str = "passed", points: float = 2.0, mistake: str = ""
) -> TestResult:
    score = points if status == "passed" else 0.0
    return TestResult(name, "test", score, points, status, mistake, "")


def result(hand, student: str, *test_results: TestResult, **more) -> SubmissionResult:
    return SubmissionResult(student, hand.lesson.id, 4.0, test_results, **more)


def test_misconceptions_of_components_that_are_gone_come_last(hand):
    there = hand.components[0]
    test_results = tuple(outcome(name, "failed", 1.0, "some-mistake") for name in ("gone", there))
    found = class_statistics.misconceptions(hand.lesson, [result(hand, "Amina", *test_results)])
    assert [row["name"] for row in found] == [there, "gone"]


def test_a_student_in_two_sections_makes_no_third(hand, course, tmp_path):
    sections = ("Group A", "Group B and Group A", "Research and Development", "")
    results = [
        result(hand, f"s{n}", outcome(hand.components[0]), section=section)
        for n, section in enumerate(sections)
    ]
    page = write_report(tmp_path, results, course).read_text(encoding="utf-8")
    options = re.search(r'<option value="">all</option>(.*?)</select>', page)[1]
    found = re.findall("<option>(.*?)</option>", options)
    assert found == ["Group A", "Group B", "Research and Development"]


def test_what_the_class_misunderstood_comes_first_and_technical_notes_last(hand, course, tmp_path):
    answer = hand.lesson.components[hand.components[0]].wrong[0]
    wrong = outcome(answer.component, "failed", 2.0, answer.name)
    results = [result(hand, "Amina", wrong), result(hand, "Bao", wrong), result(hand, "Chloé")]
    page = write_report(tmp_path, results, course).read_text(encoding="utf-8")
    headings = re.findall("<h2.*?>(.*?)</h2>", page)
    assert headings[:3] == ["What the class misunderstood", "Who needs you", "Scores"]
    assert headings[-1] == "Technical notes"
    tile = re.search('<ul class="mistakes">(.*?)</ul>', page, re.DOTALL)[1]
    text = html.unescape(re.sub("<[^>]*>", "", tile))
    assert "2 of 3 students" in text and answer.says.replace("`", "") in text
    right = hand.lesson.components[answer.component].source.splitlines()
    example = [line for line in answer.source.splitlines() if line not in right]
    assert example and all(line.strip() in text for line in example)


def test_open_prose_is_said_to_be_open_and_is_no_quarter_that_is_missing(hand, course, tmp_path):
    marks = Marks(max_prose=4.0, open=4.0)
    results = [result(hand, "Amina", outcome(hand.components[0], points=4.0), marks=marks)]
    (row,) = contents(results, course, tmp_path)["rows"]
    assert row["cells"][0]["notes"] == "4 of 4 by tests, 4 in prose open"
    assert row["cells"][0]["share"] == 100
    assert class_statistics.histogram(hand.lesson, results)["mean"] == "100 %"


def test_a_zero_needs_a_person_where_something_was_written(hand, course, tmp_path):
    name = hand.components[0]
    zeros = [result(hand, status, outcome(name, status)) for status in ("error", "missing")]
    listed = contents(zeros, course, tmp_path)["for_a_person"]
    assert [row["student"] for row in listed] == ["error"]


def test_the_histogram_counts_totals_as_shares_of_all_points(hand):
    name = hand.components[0]
    results = [
        result(hand, "a", outcome(name), outcome(name)),
        result(hand, "b", outcome(name), outcome(name, "failed")),
        result(hand, "c", outcome(name), marks=Marks(prose=1.0, penalty=0.5)),
        result(hand, "d", outcome(name, "grader_fault"), fault="full disk"),
    ]
    found = class_statistics.histogram(hand.lesson, results)
    assert found["counts"] == [0, 0, 0, 0, 0, 1, 1, 0, 0, 1] and found["median"] == "62 %"


def test_totals_out_of_different_points_are_not_mixed(hand):
    name = hand.components[0]
    half = [outcome(name), outcome(name, "failed")]
    heavier = [replace(one, score=2 * one.score, max_score=2 * one.max_score) for one in half]
    results = [
        result(hand, "before", *half),
        replace(result(hand, "after", *heavier), max_score=8.0),
    ]
    found = class_statistics.histogram(hand.lesson, results)
    assert (found["mean"], found["median"]) == ("50 %", "50 %")
    (row,) = class_statistics.components(hand.lesson, results)
    assert (row["mean"], row["share"]) == ("4 / 8", 0.5)


def test_what_nobody_tried_is_no_failure(hand):
    name, hunt = hand.components[0], next(one for one in hand.components if "hunt" in one)
    results = [
        result(hand, "a", outcome(name, "missing"), outcome(hunt, "missing")),
        result(hand, "b", outcome(name, "failed"), outcome(hunt)),
    ]
    found = {row["name"]: row for row in class_statistics.components(hand.lesson, results)}
    assert found[name]["counts"] == {"all": 0, "some": 0, "none": 1, "untried": 1}
    assert found[hunt]["counts"] == {"all": 1, "some": 0, "none": 0, "untried": 1}
    assert found[hunt]["title"] == "Bug hunt"
    (test,) = found[name]["tests"]
    assert (test["passed"], test["failed"], test["untried"]) == (0, 1, 1)


def test_failures_that_nobody_explains_are_listed_with_what_came_back(hand):
    name = hand.components[0]
    odd = replace(outcome(name, "failed"), message="The shape is (2, 3).")
    results = [result(hand, "a", odd), result(hand, "b", outcome(name, "failed", 2.0, "known"))]
    (row,) = class_statistics.unexplained(hand.lesson, results)
    assert (row["name"], row["count"], row["of"][0]["message"]) == (name, 1, odd.message)


PROSE = (
    "A transposed view shares its storage with the tensor it came from, and only its strides are "
    "exchanged, so nothing at all is copied."
)


def test_where_nobody_is_absent_it_is_said_whether_a_roster_tells(hand, course, tmp_path):
    results = [result(hand, "Amina", outcome(hand.components[0]))]
    known = "Everybody in the roster handed in every lesson that was graded."
    for has_roster, said in [(True, known), (False, "Not known: there is no roster.")]:
        path = write_report(tmp_path, results, course, has_roster=has_roster)
        page = path.read_text(encoding="utf-8")
        assert said in page and page.count("roster") == 1


@pytest.mark.parametrize(("count", "said"), [(1, "1 needs a person"), (2, "2 need a person")])
def test_what_is_counted_at_the_top_is_said_in_the_singular_too(
    hand, course, tmp_path, count, said
):
    late = outcome(hand.components[0], "timeout")
    results = [result(hand, f"s{n}", late, marks=Marks(waiting=1)) for n in range(count)]
    page = write_report(tmp_path, results, course).read_text(encoding="utf-8")
    tiles = re.sub(r"<[^>]*>", "", page[page.index('class="tiles"') : page.index("</nav>")])
    assert said in tiles and "0 pairs are alike" in tiles
    assert ("1 answer in prose waits for you" in tiles) == (count == 1)


def test_two_who_share_what_nobody_else_has_are_alike(hand):
    prose = {f"student {n}": ["As the guide says, " * 9, f"Reason {n}."] for n in range(20)}
    prose |= {"Amina": [PROSE], "Diego": [f"<div><p>Since {PROSE.lower()}</p></div>"]}
    (pair,) = similar(hand.lesson, prose)
    assert pair.students == ("Amina", "Diego") and pair.share > 0.8
    assert "only its strides are exchanged" in pair.passage


def test_what_the_lesson_says_makes_nobody_alike(hand):
    quoted = max((cell.source for cell in hand.lesson.narrative), key=len)
    assert similar(hand.lesson, {"Amina": [quoted], "Diego": [quoted]}) == []


def test_prose_is_read_from_graded_notebooks(hand, tmp_path):
    graded = [result(hand, "Amina"), result(hand, "Diego")]
    folder = tmp_path / "nbgrader" / "autograded" / "Amina" / hand.lesson.id
    folder.mkdir(parents=True)
    nbformat.write(hand.filled({"question_1": PROSE}), folder / f"{hand.lesson.name}.ipynb")
    assert read_prose(tmp_path, graded, hand.lesson) == {"Amina": [PROSE]}


def test_how_it_was_handed_in_is_told(hand, course, tmp_path):
    due = "2026-10-05T22:00:00+00:00"
    one = outcome(hand.components[0])
    several = Remark("repair", "several_alike", {"name": "a.ipynb", "others": "b.ipynb"})
    cut = Remark("repair", "cut", {"file": "a.ipynb", "count": 3})
    results = [
        result(hand, "cut off", one, repairs=(cut,)),
        result(hand, "late", one, submitted="2026-10-07T01:00:00+00:00", due=due,
               marks=Marks(penalty=0.4)),
        result(hand, "marked", one, late=True),
        result(hand, "old", one, version="0.0.1"),
        result(hand, "new", one, version=__version__),
        result(hand, "twice", one, repairs=(several,)),
        result(hand, "gone", problem=Remark("problem", "not_handed_in"), name="Gone Girl"),
        SubmissionResult("stray", "99-nothing", 0.0, problem=Remark("problem", "unknown_lesson",
                                                           {"close": ""})),
    ]  # fmt: skip
    shown = contents(results, course, tmp_path)
    told = {(row["student"], row["kind"]): row["text"] for row in shown["handed_in"]}
    assert told.keys() == {
        ("cut off", "damaged or exported file"),
        ("late", "late"), ("marked", "late"), ("old", "other version"),
        ("twice", "notebooks not graded"), ("stray", "wrong lesson"),
    }  # fmt: skip
    assert told["late", "late"].startswith("1 day 3 hours after the deadline, 2026-10-05 22:00")
    assert "Points taken off: 0.4." in told["late", "late"]
    assert shown["absent"] == [{"lesson": hand.lesson.id, "students": ["Gone Girl (gone)"]}]
    assert [row["student"] for row in shown["for_a_person"]] == ["stray"]
    page = write_report(tmp_path, results, course).read_text()
    assert "bug_hunt" not in page


def test_what_the_lms_calls_late_and_the_deadline_does_not_is_told(hand, course, tmp_path):
    before, due = "2026-10-12T20:00:00+00:00", "2026-10-12T21:59:59+00:00"
    odd = result(hand, "a", outcome(hand.components[0]), late=True, submitted=before, due=due)
    (row,) = contents([odd], course, tmp_path)["handed_in"]
    assert row["kind"] == "late or not" and "came before the deadline here" in row["text"]


def test_what_an_extension_explains_is_no_irregularity(hand, course, tmp_path):
    due = datetime(2026, 10, 12, 21, 59, 59, tzinfo=UTC)
    first, *others = course.lessons
    timed = replace(course, lessons=(replace(first, due=due), *others))
    assert first.id == hand.lesson.id
    one, longer = outcome(hand.components[0]), "2026-10-15T21:59:59+00:00"
    results = [
        result(hand, student, one, late=True, submitted=submitted, due=longer)
        for student, submitted in (
            ("in the extension", "2026-10-14T20:00:00+00:00"),
            ("before both", "2026-10-12T20:00:00+00:00"),
        )
    ]
    rows = contents(results, timed, tmp_path)["handed_in"]
    assert [(row["student"], row["kind"]) for row in rows] == [("before both", "late or not")]


def test_no_script_but_the_reports_own_can_run(hand, course, tmp_path):
    page = write_report(tmp_path, [result(hand, "Amina")], course).read_text()
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hashed}'" in page


def test_names_break_behind_underscores():
    assert str(breakable("scale_<b>_shift")) == "scale_<wbr>&lt;b&gt;_<wbr>shift"
