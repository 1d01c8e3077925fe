"""nbgrader's stock commands in a course directory of the instructor's own."""

import copy
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from nbgrader.api import Gradebook

from autograder.lesson.notebook import instructor_notebook, to_bytes

pytestmark = pytest.mark.xdist_group("stock nbgrader")
LOCAL = "\nc = get_config()\nc.JudgeSubmission.sandbox = 'none'\nc.JudgeSubmission.seed = 'x'\n"


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    # nbgrader starts `alembic`, which lies beside this Python.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    return os.environ | {"PATH": path, "NO_COLOR": "1"}


@pytest.fixture(scope="module")
def nbgrader(course, hand, root, environment, tmp_path_factory):
    """A course directory with the lesson released, and a function that runs nbgrader in it."""
    folder = tmp_path_factory.mktemp("course")
    config = (root / "autograder" / "nbgrader_config.py").read_text(encoding="utf-8")
    (folder / "nbgrader_config.py").write_text(config + LOCAL)
    source = folder / "source" / hand.lesson.id / f"{hand.lesson.name}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_bytes(to_bytes(instructor_notebook(course, hand.lesson)))

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *arguments],
            cwd=folder, env=environment, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout + done.stderr

    run.folder = folder
    run("generate_assignment", hand.lesson.id)
    return run


@pytest.fixture(scope="module")
def graded(nbgrader, hand):
    """Three submissions autograded: a right one, a wrong one, and one with a copied cell."""
    released = nbformat.read(
        nbgrader.folder / "release" / hand.lesson.id / f"{hand.lesson.name}.ipynb", 4
    )
    for student, answers in (
        ("amina", {}),
        ("copied", {}),
        ("diego", {hand.components[0]: hand.lesson.components[hand.components[0]].wrong[0].source}),
    ):
        notebook = copy.deepcopy(released)
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = (hand.right | answers).get(grade_id, cell.source)
        if student == "copied":
            marked = next(c for c in notebook.cells if c.metadata.get("nbgrader"))
            twin = new_code_cell("pass", id="twin")
            twin.metadata["nbgrader"] = dict(marked.metadata.nbgrader)
            notebook.cells.insert(0, twin)
        hand.put(nbgrader.folder / "submitted", student, notebook)
    nbgrader("autograde", hand.lesson.id)
    return nbgrader


def scores(folder: Path, lesson) -> dict[str, dict[str, float]]:
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        return {
            submission.student.id: {
                grade.name: grade.auto_score
                for grade in submission.notebooks[0].grades
                if grade.name.startswith("test_")
            }
            for submission in gradebook.assignment_submissions(lesson.id)
        }


def test_nbgraders_release_is_the_courses_notebook_cell_by_cell(nbgrader, hand):
    path = nbgrader.folder / "release" / hand.lesson.id / f"{hand.lesson.name}.ipynb"
    released = nbformat.read(path, 4)

    def cells(notebook):
        return [(cell.id, cell.cell_type, cell.source) for cell in notebook.cells]

    assert cells(released) == cells(hand.released)
    assert "HIDDEN TESTS" not in path.read_text()
    assert all("workbook" not in cell.metadata for cell in released.cells)


def test_stock_autograde_gives_the_same_points(graded, hand):
    found = scores(graded.folder, hand.lesson)
    whole = {f"test_{name}": points for name, points in hand.lesson.points().items()}
    assert found["amina"] == found["copied"] == whole
    first = f"test_{hand.components[0]}"
    assert found["diego"][first] < whole[first]
    assert found["diego"] | {first: 0} == whole | {first: 0}


def test_stock_feedback_is_ours(graded, hand):
    graded("generate_feedback", hand.lesson.id)
    folder = graded.folder / "feedback"
    pages = {path.parts[-3]: path.read_text() for path in folder.rglob("*.html")}
    assert pages.keys() == {"amina", "copied", "diego"}
    assert "All tests passed." in pages["amina"]
    assert "A known mistake" in pages["diego"]
    assert "Put right before grading" in pages["copied"]
    assert not any("<script" in page for page in pages.values())
