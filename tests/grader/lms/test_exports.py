"""What `export` writes for everybody, whichever LMS there is: no number that nobody gave."""

import csv
import io
import json
import shutil

import pytest

from autograder.commands.grade.task import faulty
from autograder.results.saved_results import save_result

from .term import Term

pytestmark = pytest.mark.xdist_group("golden")


@pytest.fixture
def term(graded_class, lesson, tmp_path) -> Term:
    """A class of which the grader failed on Amina's work."""
    shutil.copytree(graded_class.out, tmp_path / "out")
    failed = faulty(graded_class.graded["Amina"], lesson, "the disk was full")
    save_result(tmp_path / "out/work", failed)
    return Term(tmp_path)


@pytest.mark.parametrize("kind", ["canvas", "csv", "json"])
def test_a_fault_of_the_grader_is_exported_as_no_number_and_told(term, kind):
    assert term.export(kind) == 1
    assert "00-warm-up: no grade for Amina: the grader failed, so there is no total" in term.said
    assert "no grade for Diego" not in term.said
    if kind == "json":
        totals = {row["student"]: row["total"] for row in json.loads(term.read("grades.json"))}
        assert totals["Amina"] is None and totals["Diego"] > 0
        return
    text = term.read("grades.csv" if kind == "csv" else "canvas/grades.csv").lstrip("\ufeff")
    rows = {row[0]: row for row in csv.reader(io.StringIO(text))}
    numbers = {"csv": slice(3, None), "canvas": slice(4, None)}[kind]
    assert set(rows["Amina"][numbers]) == {""}, "neither the lesson nor the sum is a number"
    assert "" not in rows["Diego"][numbers]
