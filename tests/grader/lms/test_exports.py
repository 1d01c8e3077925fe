"""What `export` writes for everybody, whichever LMS there is: no number that nobody gave."""

import csv
import io
import shutil
from dataclasses import replace

import pytest

from autograder.commands.grade.judge_step import faulty
from autograder.results.outdir import save_result

from .term import Term

pytestmark = pytest.mark.xdist_group("golden")


@pytest.fixture
def term(graded_class, lesson, tmp_path) -> Term:
    """A class of which the grader failed on Amina's work."""
    shutil.copytree(graded_class.out, tmp_path / "out")
    failed = faulty(graded_class.graded["Amina"], lesson, "the disk was full")
    save_result(tmp_path / "out/work", failed)
    return Term(tmp_path)


def test_a_fault_of_the_grader_is_exported_as_no_number_and_told(term):
    assert term.export("csv") == 1
    assert "00-warm-up: no grade for Amina: the grader failed, so there is no total" in term.said
    assert "no grade for Diego" not in term.said
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
