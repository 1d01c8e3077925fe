"""What `export` writes for everybody, whichever LMS there is: no number that nobody gave."""

import csv
import io
import json
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from nbgrader.api import Gradebook

from autograder.commands.grade.judge_step import faulty
from autograder.results.saved_results import load_result, save_result

from .term import Term

pytestmark = pytest.mark.xdist_group("golden")


@pytest.fixture
def term(graded_class, lesson, tmp_path) -> Term:
    """A class of which the grader failed on Amina's work."""
    shutil.copytree(graded_class.out, tmp_path / "out")
    failed = faulty(graded_class.graded["Amina"], lesson, "the disk was full")
    save_result(tmp_path / "out/work", failed)
    return Term(tmp_path)


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_fault_of_the_grader_is_exported_as_no_number_and_told(term, kind):
    assert term.export(kind) == 1
    assert "00-warm-up: no grade for Amina: the grader failed, so there is no total" in term.said
    assert "no grade for Diego" not in term.said
    if kind == "json":
        totals = {row["student"]: row["total"] for row in json.loads(term.read("grades.json"))}
        assert totals["Amina"] is None and totals["Diego"] > 0
        return
    text = term.read("grades.csv").lstrip("\ufeff")
    rows = {row[0]: row[3:] for row in csv.reader(io.StringIO(text))}
    assert set(rows["Amina"]) == {""}, "neither the lesson nor the sum is a number"
    assert "" not in rows["Diego"]


def test_results_that_count_out_of_other_points_are_told(term, graded_class):
    before = graded_class.graded["Diego"]
    save_result(term.out / "work", replace(before, max_score=before.max_score - 1.0))
    term.export("csv")
    now = before.max_total
    assert (
        f"1 result of 00-warm-up still counts out of {now - 1:g}; grade everything again to bring "
        f"it to {now:g}."
    ) in term.said


def test_who_is_late_by_the_deadline_is_late_in_json_as_in_every_table(term):
    """Canvas's mark, or Moodle's, is not what tells it where there are two times."""
    due = datetime(2026, 10, 5, 22, 0, tzinfo=UTC)
    with Gradebook(f"sqlite:///{term.out / 'gradebook.db'}") as gradebook:
        gradebook.find_assignment("00-warm-up").duedate = due.replace(tzinfo=None)
        gradebook.db.commit()
    times = {"Diego": due + timedelta(hours=26), "Empty": due - timedelta(hours=1)}
    for student, time in times.items():
        known = load_result(term.out / "work", student, "00-warm-up")
        save_result(term.out / "work", replace(known, submitted=time.isoformat()))
    term.export("json")
    rows = {row["student"]: row for row in json.loads(term.read("grades.json"))}
    assert (rows["Diego"]["late"], rows["Empty"]["late"]) == (True, False)
    assert datetime.fromisoformat(rows["Diego"]["due"]) == due


def test_json_has_all_that_makes_up_a_total(term):
    term.export("json")
    rows = [row for row in json.loads(term.read("grades.json")) if row["tests"]]
    rows = [row for row in rows if row["status"] != "grader_fault"]
    assert rows
    for row in rows:
        points = sum(test["score"] for test in row["tests"])
        assert row["total"] == points + row["prose"] + row["by_hand"] - row["penalty"]
        assert (
            row["max_total"] == sum(test["max_score"] for test in row["tests"]) + (row["max_prose"])
        )
    assert any(row["waiting"] for row in rows)
