"""Tables that any spreadsheet reads as they were written, with nothing taken for a formula."""

import csv
import io
from dataclasses import replace

import pytest
from hostile.markup import FORMULAS
from hypothesis import given
from hypothesis import strategies as st

from autograder.judging.judge import TestResult
from autograder.results.handed_in import HandedIn, read_handed_in, table_of
from autograder.results.remarks import Remark
from autograder.results.safe_names import encodable
from autograder.results.submission import STATUSES, Marks, SubmissionResult, overall
from autograder.results.tables import read_table, write_tables

FAILED = TestResult("split_heads", "shapes", 1.5, 3.0, "failed", "d_k", "What came is 3.")


def tables(tmp_path, *graded):
    write_tables(tmp_path, list(graded), [])
    read = []
    for name in ("grades.csv", "summary.csv"):
        with open(tmp_path / name, newline="", encoding="utf-8") as file:
            read.append(list(csv.DictReader(file)))
    return read


def test_columns_are_those_that_others_rely_on(tmp_path):
    tables(tmp_path)
    assert (tmp_path / "grades.csv").read_text() == (
        "student,lesson,component,test,score,max_score,status,misconception,message\n"
    )
    assert (tmp_path / "summary.csv").read_text() == (
        "student,lesson,score,max_score,status,repairs,message,submitted,late,name,section,"
        "due,total,max_total,prose,by_hand,penalty,waiting,version\n"
    )


@pytest.mark.parametrize("name", FORMULAS)
def test_a_field_is_no_formula(tmp_path, name):
    one = SubmissionResult(name, "00-warm-up", 3.0, (replace(FAILED, message=name),))
    grades, summary = tables(tmp_path, one)
    assert grades[0]["student"] == summary[0]["student"] == grades[0]["message"] == f"'{name}"


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("before", ["x;", "x\n", "x\ty\r", ';"'])
@pytest.mark.parametrize("formula", FORMULAS)
def test_it_is_none_where_other_characters_separate_cells(tmp_path, formula, before, separator):
    message = f"{before}{formula};y"
    tables(tmp_path, SubmissionResult("a", "x", 3.0, (replace(FAILED, message=message),)))
    text = (tmp_path / "grades.csv").read_text(encoding="utf-8")
    cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
    assert not [cell for cell in cells if cell.strip(' "').startswith(tuple("=+-@＝"))]


@given(st.lists(st.text("a='\";,\t\r\n ＝-\ufeff"), min_size=3, max_size=3))
def test_what_was_collected_is_read_as_it_was_written(texts):
    path, name, note = *map(encodable, texts[:2]), texts[2]
    row = HandedIn(path, "amina", "00-warm-up", name=name, note=note, attempt=2)
    assert read_handed_in(table_of([row]).encode(), "collected.csv") == [row]


def test_control_characters_of_names_are_escapes_in_the_table():
    _, cells = read_table(table_of([HandedIn("\x1b]\r\n\x9b\u2028\udcff", name="\x1b\u202bAmina")]))
    assert (cells[2], cells[10]) == (r"\x1b]\x0d\x0a\x9b\u2028\udcff", "\\x1b\u202bAmina")


def test_quotes_commas_and_lines_survive(tmp_path):
    message = 'He said "3, 4"\nand went.'
    grades, _ = tables(
        tmp_path, SubmissionResult("a, b", "x", 3.0, (replace(FAILED, message=message),))
    )
    assert (grades[0]["student"], grades[0]["message"]) == ("a, b", message)


def test_points_are_numbers(tmp_path):
    test_results = tuple(replace(FAILED, score=score) for score in (0.1, 0.2, 1.0))
    grades, summary = tables(tmp_path, SubmissionResult("a", "x", 9.0, test_results))
    assert [row["score"] for row in grades] == ["0.1", "0.2", "1"]
    assert summary[0]["score"] == "1.3"


def test_a_fault_of_the_grader_is_never_a_zero(tmp_path):
    fault = replace(FAILED, score=0.0, status="grader_fault")
    grades, summary = tables(tmp_path, SubmissionResult("a", "x", 3.0, (fault,), fault="disk full"))
    assert grades[0]["score"] == summary[0]["score"] == ""
    assert grades[0]["status"] == summary[0]["status"] == "grader_fault"


def test_the_total_is_tests_prose_and_changes_by_hand_less_the_penalty(tmp_path):
    marks = Marks(prose=2.0, max_prose=4.0, by_hand=-0.5, penalty=0.25, waiting=1)
    one = SubmissionResult("a", "x", 3.0, (FAILED,), marks=marks, version="0.1.0")
    _, summary = tables(tmp_path, one)
    wanted = {
        "score": "1.5", "max_score": "3", "total": "2.75", "max_total": "7", "prose": "2",
        "by_hand": "-0.5", "penalty": "0.25", "waiting": "1", "version": "0.1.0",
    }  # fmt: skip
    assert {name: summary[0][name] for name in wanted} == wanted


def test_a_total_is_never_below_nothing():
    assert SubmissionResult("a", "x", 3.0, (FAILED,), marks=Marks(penalty=9.0)).total == 0


def test_who_was_late_is_told_by_the_times_or_else_by_the_lms(tmp_path):
    due = "2026-10-05T22:00:00+00:00"
    late = SubmissionResult("a", "x", 3.0, submitted="2026-10-06T22:00:01+00:00", due=due)
    extended = replace(late, student="b", late=True, due="2026-10-08T22:00:00+00:00")
    marked = SubmissionResult("c", "x", 3.0, late=True)
    _, summary = tables(tmp_path, late, extended, marked)
    assert [row["late"] for row in summary] == ["late", "", "late"]
    assert [one.seconds_late for one in (late, extended, marked)] == [86401, 0, 0]


def test_a_test_of_no_points_is_not_shown(tmp_path):
    none = replace(FAILED, test="more", score=0.0, max_score=0.0)
    passed = replace(FAILED, score=3.0, status="passed")
    one = SubmissionResult("a", "x", 3.0, (passed, none))
    grades, summary = tables(tmp_path, one)
    assert [row["test"] for row in grades] == ["shapes"]
    assert (summary[0]["status"], summary[0]["message"]) == ("passed", "1 of 1 tests passed.")


def test_repairs_are_sentences(tmp_path):
    repairs = (Remark("repair", "test_missing", {"component": "split_heads"}),)
    _, summary = tables(tmp_path, SubmissionResult("a", "x", 3.0, (FAILED,), repairs))
    assert summary[0]["repairs"] == "The test cell of split_heads was gone; it was put back."


def test_the_most_telling_status_stands_for_all():
    assert overall(["passed", "passed"]) == "passed"
    assert overall(["passed", "missing", "failed"]) == "failed"
    assert overall(["failed", "timeout", "error"]) == "timeout"
    assert overall(STATUSES) == "grader_fault"
