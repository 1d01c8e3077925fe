"""Writes the students' repository: the course without solutions and tests."""

import shutil
from pathlib import Path

import nbformat
from rich.console import Console

from autograder.authoring.prove.leaks import course_texts, solution_texts, squeeze
from autograder.errors import WrongUsage
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import ROOT
from autograder.lesson.notebook import HIDDEN_BEGIN, opening
from autograder.lesson.texts import TEXTS

FOLDERS = ("course", "binder")
FILES = ("environment.yml", "LICENSE")
LEFT_OUT = ("__pycache__", "*.egg-info", "build", ".ipynb_checkpoints", "my_transformer*", "*.pyc")


def publish(course: Course, target: Path, root: Path = ROOT) -> list[Path]:
    """Write the students' repository into `target`, and return the files written.

    Raises WrongUsage if `target` is not empty, if a notebook is not built, or if course/ holds a
    solution or a hidden test.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise WrongUsage(f"{target} is not an empty folder; name one that is empty or new")
    for lesson in course.lessons:
        notebook = root / "course" / lesson.id / f"{lesson.name}.ipynb"
        if not notebook.is_file():
            raise WrongUsage(f"{notebook} is not there yet; run `python -m autograder build` first")
    _refuse_solutions(course, root)
    for folder in FOLDERS:
        shutil.copytree(root / folder, target / folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for file in FILES:
        shutil.copy2(root / file, target / file)
    (target / "README.md").write_text(_readme(course), encoding="utf-8")
    (target / ".gitignore").write_text(TEXTS["publish"]["gitignore"].lstrip(), encoding="utf-8")
    return sorted(path for path in target.rglob("*") if path.is_file())


def refuse_outdated(course: Course, root: Path = ROOT) -> None:
    """Raises WrongUsage if a notebook opens with another address or version than the course's."""
    for lesson in course.lessons:
        notebook = root / "course" / lesson.id / f"{lesson.name}.ipynb"
        cells = nbformat.read(notebook, 4).cells if notebook.is_file() else []
        named = [cell.source for cell in opening(course, lesson)]
        if cells and [cell.source for cell in cells[: len(named)]] != named:
            raise WrongUsage(TEXTS["publish"]["outdated"].format(notebook=notebook))


def _refuse_solutions(course: Course, root: Path) -> None:
    secrets = [("a hidden test", squeeze(HIDDEN_BEGIN))]
    for lesson in course.lessons:
        secrets += solution_texts(lesson)
    for path, text in course_texts(root / "course"):
        for what, piece in secrets:
            if piece in text:
                raise WrongUsage(f"{path} holds {what}; nothing was published: {piece!r}")


def _readme(course: Course) -> str:
    rows = [
        f"| {lesson.id[:2]} | [{lesson.title}](course/{lesson.id}/{lesson.name}.ipynb) |"
        for lesson in course.lessons
    ]
    return (
        TEXTS["publish"]["readme"]
        .format(
            title=course.title,
            repository=course.repository,
            repository_name=course.repository.rstrip("/").rpartition("/")[2],
            lessons="\n".join(rows),
        )
        .lstrip()
    )


def run(target: Path, console: Console | None = None) -> int:
    """The command: publish, and print how many files were written."""
    course = read_course()
    refuse_outdated(course)
    written = publish(course, target)
    console = console or Console()
    texts = TEXTS["publish"]
    messages = [texts["written"].format(count=len(written), target=target, **vars(course))]
    if course.on_github.partition("/")[0] == texts["unnamed_owner"]:
        messages.append(texts["unnamed"].format(repository=course.repository))
    for message in messages:
        console.print(message, highlight=False, markup=False, soft_wrap=True)
    return 0
