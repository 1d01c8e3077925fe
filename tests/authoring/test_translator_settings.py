"""What a lesson says of what is handed in beside its notebook."""

import shutil

import pytest

from autograder.errors import AuthoringError
from autograder.lesson.lesson import LESSONS
from autograder.lesson.notebook import HIDDEN_BEGIN, instructor_notebook, student_notebook

TEXT = """
component = "translation"
sentences = "test_2017_flickr"
loads = 1
bleu = 9
begins = 20
begins_with = 2
full = 34
"""
CELL = '\n# %% hand_in="translation"\nwb.hand_in(outcome)\n'


@pytest.fixture
def wanting(toy):
    """The toy lesson, with something to hand in."""
    (toy.folder / "translator.toml").write_text(TEXT)
    for name in ("grader.py", "translator.json"):
        shutil.copy(LESSONS / "11-translation" / name, toy.folder)
    path = toy.folder / "lesson.py"
    path.write_text(path.read_text() + CELL)
    return toy


@pytest.mark.parametrize(
    "score, points",
    [(0.0, 0.0), (19.99, 0.0), (20.0, 2.0), (27.0, 5.5), (34.0, 9.0), (61.0, 9.0),
     (float("nan"), 0.0)],
)  # fmt: skip
def test_points_grow_in_a_line_with_the_bleu(wanting, score, points):
    lesson = wanting.course().lesson("00-toy")
    assert lesson.hand_in.grader(lesson).settings.earned(score) == points
    assert lesson.points()["translation"] == 10


def test_its_cell_is_graded_and_keeps_the_authors_code(wanting):
    course = wanting.course()
    lesson = course.lesson("00-toy")
    (cell,) = [
        cell
        for cell in student_notebook(course, lesson).cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "test_translation"
    ]
    assert cell.source == "wb.hand_in(outcome)"
    marks = cell.metadata.nbgrader
    assert marks.grade and not marks.solution and marks.points == 10
    hidden = [cell.source for cell in instructor_notebook(course, lesson).cells]
    assert any(source.startswith(f"wb.hand_in(outcome)\n{HIDDEN_BEGIN}") for source in hidden)


@pytest.mark.parametrize(
    "old, new, named",
    [
        ("begins = 20", "begins = 40", "begins below full"),
        ("begins_with = 2", "begins_with = 10", "begins_with"),
        ("loads = 1", 'loads = "1"', "loads is '1'"),
        ("loads = 1", "", "loads"),
        ("full = 34", "full = 34\nfuller = 40", "not known: 'fuller'"),
        ("full = 34", "full =", "translator.toml"),
        ('component = "translation"', 'component = "translator"', "translator"),
    ],
)
def test_what_is_wrong_in_it_is_named(wanting, old, new, named):
    wanting.replace("translator.toml", old, new)
    with pytest.raises(AuthoringError, match=named):
        wanting.course().lesson("00-toy").hand_in  # noqa: B018


def test_a_cell_without_it_is_named(toy):
    path = toy.folder / "lesson.py"
    path.write_text(path.read_text() + CELL)
    with pytest.raises(AuthoringError, match="hand_in"):
        toy.course().lesson("00-toy").points()
