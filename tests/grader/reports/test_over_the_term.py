"""What several lessons tell together: each week's numbers, who fell behind, what recurs."""

import re
from dataclasses import replace

import pytest

from autograder.judging.judge import TestResult
from autograder.reports.report import contents, write_report
from autograder.results.remarks import Remark
from autograder.results.submission import Marks, SubmissionResult

NOTHING = Remark("problem", "not_handed_in")


@pytest.fixture
def made(course):
    """Makes the result of a student for the lesson of a number, with a share of its points."""

    def made(student: str, week: int, share: float | None = 1.0, mistake: str = "", **more):
        lesson = course.lessons[week]
        if share is None:
            return SubmissionResult(student, lesson.id, 4.0, problem=NOTHING)
        name = next(iter(lesson.components))
        status = "failed" if mistake else "passed"
        tests = (TestResult(name, "test", 4.0 * share, 4.0, status, mistake, ""),)
        return SubmissionResult(student, lesson.id, 4.0, tests, **more)

    return made


def term(made, weeks: dict[str, list[float | None]]) -> list[SubmissionResult]:
    return [made(who, week, share) for who, of in weeks.items() for week, share in enumerate(of)]


def test_each_lesson_says_how_many_handed_in_and_how_well(course, made, tmp_path):
    graded = term(made, {"a": [1.0, 0.5], "b": [0.25, None]})
    graded.append(made("c", 1, 1.0, late=True))
    first, second = contents(graded, course, tmp_path)["term"]
    assert (first["count"], first["of"], first["late"], first["half"]) == (2, 3, 0, 1)
    assert (second["count"], second["of"], second["late"], second["half"]) == (2, 3, 1, 0)
    assert (first["mean"], second["mean"]) == ("62 %", "75 %")


def test_who_misses_or_fails_the_newest_lessons_fell_behind(course, made, tmp_path):
    weeks = {
        "steady": [1.0, 1.0, 1.0, 1.0],
        "stopped": [1.0, None, None, None],
        "caught up": [None, None, 0.2, 1.0],
        "sinking": [1.0, None, 0.4, 0.3],
        "one week": [1.0, 1.0, 1.0, None],
        "weak": [1.0, 1.0, 0.4, 0.4],
    }
    found = contents(term(made, weeks), course, tmp_path)["behind"]
    ids = [lesson.id for lesson in course.lessons]
    assert [(row["student"], row["since"], row["missing"], row["weak"]) for row in found] == [
        ("stopped", ids[1], ["01", "02", "03"], []),
        ("sinking", ids[1], ["01"], ["02", "03"]),
        ("weak", ids[2], [], ["02", "03"]),
    ]


def test_prose_that_is_open_puts_nobody_behind(course, made, tmp_path):
    waits = Marks(max_prose=20.0, open=20.0)
    graded = [replace(made("a", week), marks=waits) for week in range(2)]
    assert contents(graded, course, tmp_path)["behind"] == []


def test_points_by_hand_count_while_prose_is_open(course, made, tmp_path):
    marks = Marks(max_prose=4.0, by_hand=2.0, open=4.0)
    graded = [made("a", 0, 0.25, marks=marks), made("a", 1)]
    first, _second = contents(graded, course, tmp_path)["term"]
    assert (first["mean"], first["half"]) == ("75 %", 0)


def test_a_misconception_recurs_in_a_later_lesson(course, made, tmp_path):
    graded = [
        made("a", 0, 0.0, "comes-back"),
        made("a", 2, 0.0, "comes-back"),
        made("b", 1, 0.0, "comes-back"),
        made("b", 0, 0.0, "made-once"),
    ]
    first, once = contents(graded, course, tmp_path)["shared"]
    assert (first["mistake"], once["mistake"]) == ("comes back", "made once")
    assert [lesson[:2] for lesson in first["lessons"]] == ["00", "01", "02"]
    assert [(one["student"], one["lesson"][:2]) for one in first["again"]] == [("a", "02")]
    assert {one["student"] for one in first["students"]} == {"a", "b"} and once["again"] == []


def test_one_lesson_is_no_term(course, made, tmp_path):
    graded = [made("a", 0), made("b", 0, None)]
    page = write_report(tmp_path, graded, course).read_text(encoding="utf-8")
    assert "Who fell behind" not in page and 'href="#behind"' not in page


def test_a_term_of_a_large_class_is_short_until_it_is_unfolded(course, made, tmp_path):
    weeks = {f"s{number:03}": [1.0] * 12 + [None, None] for number in range(120)}
    graded = term(made, weeks | {"last": [1.0] * 14})
    page = write_report(tmp_path, graded, course).read_text(encoding="utf-8")
    shown = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
    assert "110 more" in page and 'id="scores"' in page and 'id="scores"' not in shown
    assert shown.count('data-label="Behind since"') == 10
