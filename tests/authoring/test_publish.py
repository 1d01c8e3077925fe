"""What is published is the students' course alone."""

import dataclasses
import json
import re
import shutil
import subprocess

import pytest
from the_course import COURSE, PUBLISHED

from autograder.authoring import publish as publishing
from autograder.authoring.publish import git_commands, publish, refuse_known_tag, refuse_outdated
from autograder.errors import WrongUsage
from autograder.lesson import notebook
from autograder.lesson.course import read_course
from autograder.lesson.lesson import ROOT


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    target = tmp_path_factory.mktemp("published") / "students"
    return target, publish(PUBLISHED, target)


def test_only_the_students_files_are_published(published):
    target, written = published
    assert {path.name for path in target.iterdir()} == {
        "course", "binder", "docs", "environment.yml", "LICENSE", "README.md", ".gitignore",
        ".devcontainer", "README.ko.md",
    }  # fmt: skip
    assert not [path for path in written if "my_transformer" in str(path)]


def test_what_lessons_leave_behind_is_not_published(tmp_path):
    """Weights, translators, data and notes of whoever ran the lessons in this folder."""
    root = tmp_path / "root"
    for folder in (".devcontainer", "course", "binder", "docs"):
        shutil.copytree(ROOT / folder, root / folder)
    for file in ("environment.yml", "LICENSE"):
        shutil.copy(ROOT / file, root / file)
    lesson = root / "course" / "11-translation"
    (lesson / "translation-run").mkdir()
    (root / "course" / "multi30k").mkdir()
    left = [lesson / "weights.safetensors", lesson / "translation-run" / "run.pt"]
    left += [root / "course" / "numbers.safetensors", root / "course" / "multi30k" / "train.de"]
    for path in left:
        path.write_text("mine")
    left.append(lesson / "translation-Copy1.ipynb")
    shutil.copy(lesson / "translation.ipynb", left[-1])
    written = publish(PUBLISHED, tmp_path / "students", root)
    names = {path.name for path in written}
    assert names.isdisjoint(path.name for path in left) and "translation.ipynb" in names


def test_a_notebook_that_is_not_built_anew_or_was_worked_in_is_not_published(tmp_path):
    course = dataclasses.replace(COURSE, lessons=COURSE.lessons[:2])
    shutil.copytree(ROOT / "course", tmp_path / "course")
    refuse_outdated(course, tmp_path)
    moved = dataclasses.replace(course, repository="https://github.com/a-school/a-course")
    with pytest.raises(WrongUsage, match="warm-up.ipynb names another .* run `autograder build"):
        refuse_outdated(moved, tmp_path)
    path = tmp_path / "course" / "01-attention" / "attention.ipynb"
    path.write_text(path.read_text().replace("____", "query", 1))
    with pytest.raises(WrongUsage, match="attention.ipynb is not what `build` derives"):
        refuse_outdated(course, tmp_path)


def test_the_readme_links_every_lesson(published):
    target, _ = published
    readme = (target / "README.md").read_text(encoding="utf-8")
    for path in target.rglob("*.ipynb"):
        assert f"]({path.relative_to(target).as_posix()})" in readme
    marked = [line[2:4] for line in readme.splitlines() if "(beyond the paper)" in line]
    beyond = [lesson.id[:2] for lesson in COURSE.lessons if lesson.beyond]
    assert marked == beyond != []


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(WrongUsage, match="not an empty folder"):
        publish(PUBLISHED, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_without_an_address_nothing_is_published(tmp_path):
    with pytest.raises(WrongUsage, match="where students get the course"):
        publish(dataclasses.replace(PUBLISHED, repository=""), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(bool(COURSE.repository), reason="course.toml names an address")
def test_a_clone_of_the_students_repository_names_the_address(tmp_path, capsys):
    git(tmp_path, "init", "-q")
    git(tmp_path, "remote", "add", "origin", "git@github.com:someone/fork.git")
    publishing.publish_command(tmp_path)
    assert "git clone https://github.com/someone/fork\n" in (tmp_path / "README.md").read_text()
    assert f"git -C {tmp_path} push origin main" in capsys.readouterr().out


def git(folder, *arguments: str, fails: bool = False) -> str:
    names = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", *names, *arguments], cwd=folder, capture_output=True, text=True)
    assert fails or done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def raised(course, version: str, monkeypatch, tmp_path):
    """The course with another version and tag, built into a folder of its own."""
    course = dataclasses.replace(course, tag=f"v{version}")
    monkeypatch.setattr(notebook, "__version__", version)
    root = tmp_path / f"root {version}"
    for folder in (".devcontainer", "course", "binder", "docs"):
        shutil.copytree(ROOT / folder, root / folder)
    for file in ("environment.yml", "LICENSE"):
        shutil.copy2(ROOT / file, root / file)
    for lesson in course.lessons:
        path = root / "course" / lesson.id / f"{lesson.name}.ipynb"
        path.write_bytes(notebook.to_bytes(notebook.student_notebook(course, lesson)))
    return course, root


def test_the_commands_that_are_shown_publish_into_a_clone(tmp_path, monkeypatch):
    """As an instructor does, and a student who pulls in mid-term with work of their own."""
    course = read_course()
    course = dataclasses.replace(
        course, repository=f"{tmp_path}/hosted", branch="main", lessons=course.lessons[:2]
    )
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hosted.git")
    first = tmp_path / "for students"
    course, root = raised(course, "0.1.0", monkeypatch, tmp_path)
    publish(course, first, root)
    run_shown(git_commands(course, first))

    git(tmp_path, "clone", "-q", "hosted.git", "student")
    lesson = course.lessons[0]
    path = f"course/{lesson.id}/{lesson.name}.ipynb"
    mine = tmp_path / "student" / path
    mine.write_bytes(executed(mine.read_bytes()))
    git(tmp_path / "student", "commit", "-qam", "my answers")

    again = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "hosted.git", "clone")
    (again / "syllabus.md").write_text("mine")
    (again / "course/transformer_workbook/gone.py").write_text("of an earlier version")
    with pytest.raises(WrongUsage, match=r"has the tag v0.1.0 already.*another tag"):
        refuse_known_tag(course, again)
    newer, root = raised(course, "0.2.0", monkeypatch, tmp_path)
    refuse_known_tag(newer, again)
    publish(newer, again, root)
    assert (again / "syllabus.md").read_text() == "mine"
    assert not (again / "course/transformer_workbook/gone.py").exists()
    changed = git(again, "diff", "--numstat", "--", "*.ipynb").splitlines()
    assert len(changed) == len([*(again / "course").rglob("*.ipynb")])
    assert all(line.startswith("1\t1\t") for line in changed), "one line of each notebook"
    run_shown(git_commands(newer, again))

    git(tmp_path / "student", "pull", "-q", "--no-rebase")
    merged = mine.read_text(encoding="utf-8")
    assert "0.2.0" in merged and "my answer" in merged
    assert git(tmp_path / "student", "tag").split() == ["v0.1.0", "v0.2.0"]


def run_shown(commands: list[str]) -> None:
    for command in commands:
        command = command.strip().replace("git ", "git -c user.name=A -c user.email=a@x.org ", 1)
        subprocess.run(command, shell=True, check=True, capture_output=True)


def executed(content: bytes) -> bytes:
    """The notebook as JupyterLab saves it after its cells were run, with an answer in it."""
    tree = json.loads(content)
    for count, cell in enumerate(tree["cells"]):
        if cell["cell_type"] == "code":
            cell["execution_count"] = count + 1
            cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": ["something\n"]}]
    tree["cells"][-3]["source"] = ["# my answer"]
    return json.dumps(tree, indent=1, ensure_ascii=False).encode() + b"\n"


def test_an_installation_leaves_nothing_that_git_sees(published, tmp_path):
    target = tmp_path / "students"
    shutil.copytree(published[0], target)
    git(target, "init", "-q")
    for path in ("course/build/lib/x.py", "course/transformer_workbook.egg-info/PKG-INFO",
                 "course/my_transformer/a.py", "course/my_transformer.zip",
                 "course/transformer_workbook/__pycache__/a.pyc", ".venv/pyvenv.cfg",
                 "course/00-warm-up/.ipynb_checkpoints/a.ipynb"):  # fmt: skip
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).touch()
    seen = git(target, "status", "--porcelain", "--untracked-files=all").splitlines()
    assert {line[3:] for line in seen} == {
        path.relative_to(published[0]).as_posix() for path in published[1]
    }


def test_the_students_guide_is_published_with_links_that_lead_somewhere(published):
    target, _written = published
    text = (target / "docs/students.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)", text)
    assert all(":" in link or (target / "docs" / link).exists() for link in links)
    assert "](docs/students.md)" in (target / "README.md").read_text(encoding="utf-8")
