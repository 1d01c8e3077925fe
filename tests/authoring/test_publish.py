"""What is published is the students' course alone."""

import dataclasses
import json

import pytest

from autograder.authoring.publish import publish, refuse_outdated
from autograder.errors import WrongUsage
from autograder.lesson.course import read_course


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    target = tmp_path_factory.mktemp("published") / "students"
    return target, publish(read_course(), target)


def test_only_the_students_files_are_published(published):
    target, written = published
    assert {path.name for path in target.iterdir()} == {
        "course", "binder", "environment.yml", "LICENSE", "README.md", ".gitignore",
    }  # fmt: skip
    assert not [path for path in written if "my_transformer" in str(path)]


def test_no_published_notebook_holds_a_test_or_a_rubric(published):
    target, _ = published
    notebooks = list(target.rglob("*.ipynb"))
    assert len(notebooks) == len(read_course().lessons)
    for path in notebooks:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "".join("".join(cell["source"]) for cell in cells)
        assert "____" in text
        assert "HIDDEN TESTS" not in text and "Rubric" not in text


def test_the_readme_links_every_lesson(published):
    target, _ = published
    readme = (target / "README.md").read_text(encoding="utf-8")
    for path in target.rglob("*.ipynb"):
        assert f"]({path.relative_to(target).as_posix()})" in readme


def test_notebooks_that_are_not_built_anew_are_not_published():
    course = read_course()
    refuse_outdated(course)
    moved = dataclasses.replace(course, repository="https://github.com/a-school/a-course")
    with pytest.raises(
        WrongUsage, match="warm-up.ipynb names another .* run `python -m autograder build"
    ):
        refuse_outdated(moved)


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(WrongUsage, match="not an empty folder"):
        publish(read_course(), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
