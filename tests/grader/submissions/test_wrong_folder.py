"""A folder that holds no class is refused at once, with what is there and what was expected."""

import time
from pathlib import Path

import pytest
from the_course import COURSE

from autograder.commands.request import Request, checked
from autograder.errors import WrongUsage
from autograder.lesson.lesson import ROOT
from autograder.submissions.collect import collect

LESSONS = COURSE.lessons


def refused(folder: Path) -> str:
    """The message; it comes within a second."""
    start = time.process_time()
    with pytest.raises(WrongUsage) as error:
        collect(folder, LESSONS)
    assert time.process_time() - start < 1
    assert "expected are files <student>" in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("folder", [ROOT, ROOT / "course"])
def test_the_course_itself_is_no_class(folder):
    assert "is the folder of the course itself: it has" in refused(folder)


def test_what_is_published_is_no_class(tmp_path):
    lesson = tmp_path / "course/00-warm-up/warm-up.ipynb"
    lesson.parent.mkdir(parents=True)
    for file in (lesson, tmp_path / "environment.yml", tmp_path / "README.md"):
        file.write_bytes(b"{}")
    assert "is the folder of the course itself: it has README.md, course" in refused(tmp_path)


def test_it_is_named_before_it_is_said_that_out_lies_in_it():
    with pytest.raises(WrongUsage, match="is the folder of the course itself: it has"):
        checked(Request(ROOT, ROOT / "results"), COURSE)


def test_a_folder_of_results_is_no_class(tmp_path):
    for name in ("summary.csv", "report.html", "gradebook.db"):
        (tmp_path / name).touch()
    lesson = tmp_path / "feedback/amina/00-warm-up"
    lesson.mkdir(parents=True)
    (lesson / "warm-up.html").touch()
    message = refused(tmp_path)
    assert "is a folder of results: it has feedback, gradebook.db, report.html" in message


def test_a_large_folder_without_lessons_or_notebooks_is_no_class(tmp_path):
    for number in range(40):
        folder = tmp_path / f"package{number:02}"
        folder.mkdir()
        for name in range(200):
            (folder / f"module{name}.py").write_text("def f(): ...\n" * 100)
    assert "it has package00, package01, package02, package03, package04 …" in refused(tmp_path)


@pytest.mark.parametrize(
    "path",
    [
        "amina/00-warm-up/scan.pdf",
        "amina/anything.ipynb",
        "Amina Khan_501_assignsubmission_file_/scan.pdf",
        "khanamina_12345_67890_scan.pdf",
        "amina/warm-up.py",
        "amina/work.zip",
    ],
)
def test_what_students_hand_in_instead_of_a_notebook_is_still_a_class(tmp_path, path):
    file = tmp_path / "class" / path
    file.parent.mkdir(parents=True)
    file.write_bytes(b"%PDF-1.7")
    collected = collect(tmp_path / "class", LESSONS)
    assert collected.rows or collected.submissions
