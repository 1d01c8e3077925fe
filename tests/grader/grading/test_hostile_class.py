"""What some students hand in costs nobody else anything: no point, no page, no file."""

import csv
from pathlib import Path

import pytest
from hostile.names import ALIKE
from the_course import COURSE

from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.lesson.notebook import student_notebook, to_bytes
from autograder.results.submission import STATUSES
from benchmarks.grading import LESSON, fill, write_class

SEED = "the seed of the tests"
FEW = 5

DEEP = "+".join(["1"] * 600)
LOOPS = "".join(f"{'    ' * depth}for i{depth} in ():\n" for depth in range(1, 5))


def returning(value: str) -> str:
    """A component that returns a value of any kind."""
    return f"""
class MultiHeadAttention(nn.Module):
    def __init__(self, *_, **__):
        super().__init__()
        self.w_q = self.w_k = self.w_v = self.w_o = nn.Linear(12, 12)
    def forward(self, query, *_, **__):
        self.weights = {value}
        return {value}
"""


def hostile_answers(right: str) -> dict[str, str]:
    """Answers to the component by name, each made to cost the grader much time or memory.

    Those that run for long themselves are not among them: the limit of time is for these.
    """
    wrong = right.rstrip() + "\n\n_right = MultiHeadAttention.forward\n"
    wrong += "MultiHeadAttention.forward = lambda *a, **k: _right(*a, **k) * 1.01\n"
    return {
        "a deep sum in a right answer": f"{right}\nx_ = {DEEP}\n",
        "a deep sum in a wrong answer": f"{wrong}\nx_ = {DEEP}\n",
        "statements in loops": f"{wrong}\ndef f():\n{LOOPS}" + f"{' ' * 20}a=1\n" * 7500,
        "200,000 characters": wrong + "\na=1" * 45_000,
        "attributes of attributes": f"{wrong}\ndef f(y):\n    return y{'.z' * 3000}\n",
        "30 million halves": returning("torch.ones(30_000_000).half()"),
        "halves": returning("torch.ones(500, 700).half()"),
        "a tensor of many axes": returning("torch.ones([1] * 15 + [200_000])"),
        "a list of a million": returning("[1.0] * 150_000"),
        "a page of brackets": f"{wrong}\nx = {'[' * 150}{']' * 150}\n" * 40,
    }


def write_hostile(submitted: Path) -> list[str]:
    """Write a submission for each hostile answer; the students' names."""
    lesson = COURSE.lesson(LESSON)
    right = {name: component.source for name, component in lesson.components.items()}
    answers = hostile_answers(right["MultiHeadAttention"])
    for student, answer in answers.items():
        notebook = student_notebook(COURSE, lesson)
        fill(notebook, right | {"MultiHeadAttention": answer})
        path = submitted / student / lesson.id / f"{lesson.name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(to_bytes(notebook))
    return list(answers)


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
