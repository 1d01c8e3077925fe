"""README.md and CITATION.cff say what course.toml and the version say."""

import dataclasses

import pytest
from the_course import COURSE, PUBLISHED

from autograder.authoring.front_page import derive
from transformer_workbook import __version__

UNNAMED = dataclasses.replace(COURSE, repository="")


def test_with_an_address_there_are_badges_a_clone_and_a_citation():
    made = {name: content.decode() for name, content in derive(PUBLISHED).items()}
    readme, citation = made["README.md"], made["CITATION.cff"]
    assert f"git clone {PUBLISHED.repository} && cd a-course\n" in readme
    assert "ADDRESS" not in readme
    for lesson in PUBLISHED.lessons:
        (row,) = [line for line in readme.splitlines() if line.startswith(f"| {lesson.id[:2]} |")]
        assert lesson.builds in row and f"| {lesson.minutes}&nbsp;min |" in row
        assert "[Colab](" in row and "[Binder](" in row and "badge" not in row
    assert "[Lesson 00 on Colab](" in readme.partition("<picture>")[0]
    assert "/a-course/actions/workflows/check.yml/badge.svg?branch=main" in readme
    assert "](https://a-school.github.io/a-course/)" in readme
    assert f"repository-code: {PUBLISHED.repository}\n" in citation
    assert f"version: {__version__}\n" in citation


def test_without_an_address_there_are_none(tmp_path):
    (tmp_path / "docs").mkdir()
    for name, content in derive(PUBLISHED).items():
        (tmp_path / name).write_bytes(content)
    made = {name: content.decode() for name, content in derive(UNNAMED, tmp_path).items()}
    for text in made.values():
        assert "a-school" not in text and "badge" not in text
    assert "git clone ADDRESS transformer" in made["README.md"]
    assert "`ADDRESS` is " in made["README.md"]
    assert "repository-code" not in made["CITATION.cff"]
    assert "make lab" in made["README.md"] and "\n\n\n" not in made["README.md"]
    assert derive(UNNAMED, tmp_path / "empty") == {}


@pytest.mark.parametrize("lesson", UNNAMED.lessons, ids=lambda lesson: lesson.id)
def test_each_lesson_says_what_is_built_and_how_long_it_takes(lesson):
    assert lesson.builds
    assert 30 <= lesson.minutes <= 90
