"""Where the course lies is said in course.toml alone: badges, links and first cells follow."""

import dataclasses
import json
import re

import pytest
from git_files import ROOT, tracked
from the_course import COURSE, PUBLISHED

from autograder.authoring.publish import publish
from autograder.authoring.record_lesson import index
from autograder.errors import AuthoringError
from autograder.lesson.course import COURSE_FILE, read_course
from autograder.lesson.notebook import student_notebook
from transformer_workbook import __version__

FORK = dataclasses.replace(
    COURSE, repository="https://github.com/someone/fork", branch="spring", tag="v9.1"
)
UNNAMED = dataclasses.replace(COURSE, repository="")

# Every way in which the course's own address is written somewhere.
ADDRESS = re.compile(
    r"""https?://colab\.research\.google\.com/github/(?P<colab>[\w.-]+/[\w.-]+)/blob/(?P<branch>[^/]+)/(?P<path>[^)\s"\\]+)
      | https?://mybinder\.org/v2/(?P<host>\w+)/(?P<binder>[\w.-]+/[\w.-]+)/(?P<tag>[^?\s]+)\?urlpath=lab/tree/(?P<lab>[^)\s"\\]+)
      | git\+(?P<git>https?://[^@\s"]+)@(?P<pin>[^\#\s"]+)\#subdirectory=(?P<sub>[\w/]+)
      | (?:git\ clone\ |)(?P<link>https?://(?:www\.)?github\.com/[\w.-]+/[\w.-]+)(?P<within>/[^)\s"\\]*)?""",
    re.VERBOSE,
)


def wrong_addresses(text: str, course) -> list[str]:
    """The addresses in `text` that should be the course's and are not.

    A link to a project on GitHub may be a citation; one to clone, or to something in a folder
    `course`, is meant to be ours.
    """
    wrong = []
    for found in ADDRESS.finditer(text):
        part = found.groupdict()
        if part["colab"]:
            right = (part["colab"], part["branch"]) == (course.on_github, course.branch)
        elif part["binder"]:
            where = (part["host"], part["binder"], part["tag"])
            right = where == ("gh", course.on_github, course.branch)
        elif part["git"]:
            where = (part["git"], part["pin"], part["sub"])
            right = where[::2] == (course.repository, "course") and part["pin"] in (
                course.tag,
                "{tag}",  # a notebook names it on a line of its own
            )
        else:
            ours = found[0].startswith("git clone") or "/course/" in (part["within"] or "")
            right = not ours or part["link"] == course.repository
        if not right:
            wrong.append(found[0])
    return wrong


def badges(notebook: dict) -> list[str]:
    """The paths of the notebooks that a notebook's badges open."""
    text = "".join("".join(cell["source"]) for cell in notebook["cells"])
    return [found["path"] or found["lab"] for found in ADDRESS.finditer(text)
            if found["colab"] or found["binder"]]  # fmt: skip


def test_nothing_names_another_address():
    files = tracked("README.md", "docs", "binder", "environment.yml", "course", "Makefile")
    assert len(files) > 50
    wrong = {}
    for name in files:
        text = (ROOT / name).read_bytes().decode("utf-8", errors="ignore")
        if found := wrong_addresses(text, COURSE):
            wrong[name] = found
    assert wrong == {}


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


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
def test_a_forks_notebook_names_it_and_no_other_address(lesson):
    path = f"course/{lesson.id}/{lesson.name}.ipynb"
    notebook = student_notebook(FORK, lesson)
    assert badges(notebook) == [path, path]
    first = notebook.cells[1].source
    assert f'"git+{FORK.repository}@{{tag}}#subdirectory=course"' in first
    assert f'made = dict(tag="{FORK.tag}", version=' in first
    assert "--no-deps" in first
    text = json.dumps(notebook)
    assert wrong_addresses(text, FORK) == [] and PUBLISHED.on_github not in text


def test_a_forks_index_names_no_other_address():
    assert PUBLISHED.on_github not in index(FORK).decode()


def test_a_forks_students_get_its_address(tmp_path):
    publish(FORK, tmp_path / "students")
    readme = (tmp_path / "students" / "README.md").read_text(encoding="utf-8")
    assert f"git clone {FORK.repository}" in readme
    assert wrong_addresses(readme, FORK) == []


def test_a_repository_that_is_not_on_github_has_no_badges():
    elsewhere = dataclasses.replace(COURSE, repository="https://git.example.org/group/course")
    notebook = student_notebook(elsewhere, COURSE.lessons[0])
    assert badges(notebook) == []
    assert "badge" not in notebook.cells[0].source
    assert "git+https://git.example.org/group/course@" in notebook.cells[1].source


def test_the_package_is_pinned_to_a_tag_which_the_version_names(tmp_path):
    assert COURSE.tag != COURSE.branch
    text = re.sub(r"(?m)^(tag|repository) = .*$", "", COURSE_FILE.read_text(encoding="utf-8"))
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    course = read_course(tmp_path / "course.toml")
    assert (course.tag, course.repository) == (f"v{__version__}", "")


@pytest.mark.parametrize(
    "line",
    [
        'repository = "https://github.com/OWNER/REPO/"',
        'repository = "https://github.com/OWNER/REPO.git"',
        'repository = "git@github.com:OWNER/REPO"',
        'tag = "two words"',
        'branch = ""',
    ],
)
def test_an_address_that_would_not_work_is_refused(tmp_path, line):
    key = line.partition(" ")[0]
    kept = re.sub(rf"(?m)^{key} = .*$", "", COURSE_FILE.read_text(encoding="utf-8"))
    text = f"{line}\n{kept}"
    file = tmp_path / "course.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(AuthoringError, match=key):
        read_course(file)
