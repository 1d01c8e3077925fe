"""What some students hand in costs nobody else anything: no point, no page, no file."""

import csv

import pytest
from hostile.names import ALIKE

from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.results.submission import STATUSES
from benchmarks.grading import LESSON, write_class
from benchmarks.hostile import write_hostile

SEED = "the seed of the tests"
FEW = 5


@pytest.fixture(scope="module")
def place(tmp_path_factory, sandbox):
    """Folders with a class graded alone, and the same class graded among hostile submissions."""
    place = tmp_path_factory.mktemp("place")
    for kind in ("alone", "among"):
        write_class(place / kind, FEW)
    hostile = write_hostile(place / "among")
    released = (place / "among" / hostile[0] / LESSON).glob("*.ipynb")
    content = next(released).read_bytes()
    for number, name in enumerate(ALIKE):
        folder = place / "among" / name / LESSON
        folder.mkdir(parents=True)
        if number % 2:
            (folder / "multi-head-attention.ipynb").write_bytes(content)
        (folder / "timestamp.txt").write_text("9999-12-31 23:59:59 -14:00")
    (place / "among" / "student-0001" / "..\u2003").mkdir()
    before = {path.name for path in place.iterdir()}
    for kind in ("alone", "among"):
        grade(Request(place / kind, place / f"out of {kind}", secret=SEED, sandbox=sandbox, jobs=2))
    assert {path.name for path in place.iterdir()} == before | {"out of alone", "out of among"}
    return place


def rows(place, kind, table):
    with open(place / f"out of {kind}" / table, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def honest(found):
    return [
        row for row in found if row["student"].startswith("student-") and row["lesson"] == LESSON
    ]


@pytest.mark.parametrize("table", ["grades.csv", "summary.csv"])
def test_honest_grades_are_those_without_the_others(place, table):
    alone, among = (honest(rows(place, kind, table)) for kind in ("alone", "among"))
    assert alone and alone == among


def test_honest_pages_are_those_without_the_others(place):
    pages = sorted((place / "out of alone").glob(f"feedback/*/{LESSON}/*.html"))
    assert len(pages) == FEW
    for page in pages:
        same = place / "out of among" / page.relative_to(place / "out of alone")
        assert same.read_bytes() == page.read_bytes()


def test_every_submission_has_an_outcome_of_its_own(place):
    found = rows(place, "among", "summary.csv")
    seen = [path for path in (place / "among").iterdir() if not path.name.startswith(".")]
    students = {row["student"] for row in found}
    assert len(students) == len(seen) == FEW + 10 + len(ALIKE) - 1  # hidden folders are not seen
    statuses = {row["status"] for row in found}
    assert statuses <= STATUSES.keys() - {"grader_fault"}
    assert (place / "out of among" / "report.html").is_file()


def test_right_answers_among_hostile_code_have_their_points(place):
    (row,) = [one for one in rows(place, "among", "summary.csv")
              if one["student"] == "a deep sum in a right answer"]  # fmt: skip
    assert row["score"] == row["max_score"] and row["status"] == "passed"
