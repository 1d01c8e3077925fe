"""What an instructor sees at the end of a run."""

import io
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from autograder.judging.judge import TestResult
from autograder.reports.terminal import MOST_ROWS, show
from autograder.results.remarks import Remark
from autograder.results.submission import SubmissionResult

PASSED = (TestResult("c", "t", 2.0, 2.0, "passed", "", ""),)
LATE = (TestResult("c", "t", 0.0, 2.0, "timeout", "", "It took too long."),)
CUT = Remark("problem", "not_json", {"reason": "line 1"})


def shown(course, graded, width: int = 120) -> str:
    console = Console(file=io.StringIO(), width=width)
    show(graded, course, Path("OUT"), console)
    return console.file.getvalue()


def a_class(lesson, count: int) -> list[SubmissionResult]:
    return [
        SubmissionResult(f"[red]{number:03}", lesson.id, 2.0, PASSED) for number in range(count)
    ]


def test_a_small_class_has_a_row_for_each_student(course, lesson):
    said = shown(course, a_class(lesson, MOST_ROWS))
    assert said.count("[red]") == MOST_ROWS


def test_the_legend_explains_each_mark_once(course, lesson):
    results = [
        SubmissionResult(status, lesson.id, 2.0, (replace(LATE[0], status=status),))
        for status in ("timeout", "error", "failed")
    ]
    assert "! out of time / error, ✗ failed\n" in shown(course, results)


def test_no_points_are_cut_off_in_a_narrow_terminal(course):
    points = (TestResult("c", "t", 10.25, 12.5, "failed", "", ""),)
    results = [
        SubmissionResult("garcialopezjose_1234567890", lesson.id, 12.5, points)
        for lesson in course.lessons
    ]
    said = shown(course, results, width=80)
    assert said.count("✗ 10.25") == said.count("/ 12.5") == len(course.lessons)
    assert "…" not in said and max(map(len, said.splitlines())) <= 80


def test_a_large_class_is_counted_and_so_are_those_who_need_a_person(course, lesson):
    ended = (Remark("repair", "cell_died"),)
    odd = [
        SubmissionResult("Late", lesson.id, 2.0, LATE),
        SubmissionResult("Cut", lesson.id, 2.0, problem=CUT),
        SubmissionResult("Ended", lesson.id, 2.0, PASSED, repairs=ended),
    ]
    said = shown(course, [*a_class(lesson, 200), *odd])
    counts = next(line for line in said.splitlines() if lesson.id in line)
    assert [part.strip() for part in counts.split("│")[1:-1]] == [
        lesson.id, "203", "201", "1", "1", "1.98 / 2",
    ]  # fmt: skip
    assert "[red]" not in said
    assert "3 submissions need a person: see OUT/report.html" in said
