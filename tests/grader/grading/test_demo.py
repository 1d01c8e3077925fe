"""The demo: it grades a made-up class, and leaves all but its own folder alone."""

import dataclasses
import io

import pytest
from rich.console import Console
from the_course import COURSE

from autograder import demo

pytestmark = pytest.mark.xdist_group("class")


def files(root) -> dict:
    """When each file of the course and of the grader was written."""
    return {
        path: path.stat().st_mtime_ns
        for folder in ("autograder", "course", "solutions")
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_demo_needs_no_build_and_writes_its_own_folder_alone(root, tmp_path, monkeypatch):
    """In a container it runs in a folder that its user cannot write."""
    first = COURSE.lessons[0].id
    *right, last = (one for one in demo.make_class(COURSE) if one.expected.lesson == first)
    wrong = dataclasses.replace(last.expected, status="another")
    submissions = [*right, dataclasses.replace(last, expected=wrong)]
    assert len(submissions) > 5
    monkeypatch.setattr(demo, "make_class", lambda course: iter(submissions))
    console = Console(file=io.StringIO(), width=200)
    before = files(root)
    assert demo.demo_command(tmp_path / "out", console) == 1
    assert files(root) == before
    assert (tmp_path / "out" / "results" / "report.html").is_file()
    said = console.file.getvalue()
    assert said.count("DIFFERS") == 1 and "✓" in said
    assert "1 outcome is not as expected. Has a lesson changed since" in said
