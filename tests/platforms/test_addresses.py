"""Where the course lies is said in course.toml alone: badges, links and first cells follow."""

import dataclasses
import json
import re
import subprocess

import nbformat
import pytest
from git_files import ROOT, tracked
from the_course import COURSE, PUBLISHED

from autograder.authoring.found_address import with_found_address
from autograder.authoring.publish import INDEX, publish
from autograder.authoring.record_lesson import index
from autograder.lesson.course import COURSE_FILE, read_course
from autograder.lesson.notebook import student_notebook
from transformer_workbook import __version__

FORK = dataclasses.replace(
    COURSE, repository="https://github.com/someone/fork", branch="spring", tag="v9.1"
)
UNNAMED = dataclasses.replace(COURSE, repository="")

BADGES = re.compile(
    r"https://(?:colab\.research\.google\.com/github/someone/fork/blob/spring/"
    r"|mybinder\.org/v2/gh/someone/fork/spring\?urlpath=lab/tree/)([^)\s]+)"
)


@pytest.mark.skipif(not COURSE.on_github, reason="course.toml names no address")
def test_code_names_no_address_but_course_toml():
    files = {*tracked("autograder", "solutions", "Makefile", ".ci")} - {
        *tracked("autograder/lessons")
    }
    address = COURSE.on_github.encode()
    assert [name for name in files if address in (ROOT / name).read_bytes()] == [
        COURSE_FILE.relative_to(ROOT).as_posix()
    ]


def test_nobody_reads_a_placeholder_for_an_address():
    files = tracked("README.md", "docs", "course", "CITATION.cff")
    placeholder = re.compile(rb"OWNER\b.{0,3}\bREPO\b")
    assert [name for name in files if placeholder.search((ROOT / name).read_bytes())] == []


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_without_an_address_a_notebook_has_no_badge_and_says_how_to_open_it(lesson):
    heading, start = student_notebook(UNNAMED, lesson).cells[:2]
    assert "](" not in heading.source and "\n\n\n" not in heading.source
    assert "pip" not in start.source.replace('pip install -q "{name}"', "")
    assert "in a copy of the whole course" in start.source
    compile(start.source.replace("    !", "    pass  # "), "start", "exec")


def test_a_forks_students_get_its_address_and_no_other(tmp_path):
    texts = {
        path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8")
        for path in publish(FORK, tmp_path)
        if path.suffix in (".ipynb", ".md", ".json", ".toml")
    }
    assert not [name for name, text in texts.items() if PUBLISHED.on_github in text]
    assert f"git clone {FORK.repository}" in texts["README.md"]
    for path in [name for name in texts if name.endswith(".ipynb")]:
        heading, first = nbformat.reads(texts[path], 4).cells[:2]
        assert BADGES.findall(heading.source) == [path, path]
        assert f'"git+{FORK.repository}@{{tag}}#subdirectory=course"' in first.source
        assert f'made = dict(tag="{FORK.tag}", version=' in first.source
        assert "--no-deps" in first.source
    assert json.loads(texts[INDEX])["repository"] == FORK.repository


@pytest.mark.parametrize(
    "origin", ["https://github.com/someone/fork", "https://a:b@github.com/someone/fork.git",
               "git@github.com:someone/fork.git"],
)  # fmt: skip
def test_where_course_toml_names_no_address_a_clones_remote_does(origin, tmp_path):
    for command in (["init", "-q"], ["remote", "add", "origin", origin]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert with_found_address(UNNAMED, tmp_path).repository == FORK.repository
    assert with_found_address(PUBLISHED, tmp_path) == PUBLISHED
    without_colab = dataclasses.replace(FORK, on_colab=False)
    assert [*without_colab.addresses(COURSE.lessons[0])] == ["Binder"]


def test_or_a_workflow_does_but_not_for_what_git_tracks(tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert with_found_address(UNNAMED, tmp_path) == UNNAMED
    monkeypatch.setenv("GITHUB_REPOSITORY", "someone/fork")
    assert with_found_address(UNNAMED, tmp_path).repository == FORK.repository
    assert index(read_course()) == index(COURSE)


def test_a_repository_that_is_not_on_github_has_no_badges():
    elsewhere = dataclasses.replace(COURSE, repository="https://git.example.org/group/course")
    notebook = student_notebook(elsewhere, COURSE.lessons[0])
    assert "badge" not in notebook.cells[0].source
    assert "git+https://git.example.org/group/course@" in notebook.cells[1].source


def test_the_package_is_pinned_to_a_tag_which_the_version_names(tmp_path):
    assert COURSE.tag != COURSE.branch
    text = re.sub(r"(?m)^(tag|repository) = .*$", "", COURSE_FILE.read_text(encoding="utf-8"))
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    course = read_course(tmp_path / "course.toml")
    assert (course.tag, course.repository) == (f"v{__version__}", "")
