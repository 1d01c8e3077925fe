"""Writes the students' repository: the course without solutions and tests."""

import shutil
from pathlib import Path

import nbformat
from rich.console import Console

from autograder.authoring.prove.leaks import course_texts, solution_texts, squeeze
from autograder.errors import WrongUsage
from autograder.language import _, ngettext
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import ROOT
from autograder.lesson.notebook import HIDDEN_BEGIN, opening

FOLDERS = ("course", "binder")
FILES = ("environment.yml", "LICENSE")
LEFT_OUT = ("__pycache__", "*.egg-info", "build", ".ipynb_checkpoints", "my_transformer*", "*.pyc")
UNNAMED_OWNER = "OWNER"  # in the address of a course that is nobody's yet

# These two files are in the course's language, as the lessons are.
GITIGNORE = """\
__pycache__/
.ipynb_checkpoints/
.venv/
*.egg-info/
course/my_transformer/
"""
README = """\
# {title}

Build the Transformer of [Attention Is All You Need](https://arxiv.org/abs/1706.03762) by hand, one
notebook a component. Each notebook has blanks for you to fill, a check beside each of them that
says what works and what does not, and hints when you are stuck. What passes its check is kept as
your own code, and later lessons build on it.

| | lesson |
|---|---|
{lessons}

**In the browser.** Open a notebook above and click a badge at its top: Colab or Binder.

**On your computer**, with Python 3.11 to 3.13:

```
git clone {repository}
cd {repository_name}
python3 -m venv .venv
.venv/bin/pip install torch --index-url https://download.pytorch.org/whl/cpu
.venv/bin/pip install ./course jupyterlab
.venv/bin/jupyter lab course
```

On Windows, write `.venv\\Scripts\\` in place of `.venv/bin/`. With an NVIDIA GPU, leave out the
line that installs torch's CPU build. With conda: `conda env create -f environment.yml`. Does
something not work? `.venv/bin/python -m transformer_workbook doctor` says what, and how to mend it.

Begin with lesson 00. Hand in the notebook that you filled, as your instructor asks.
"""


def publish(course: Course, target: Path, root: Path = ROOT) -> list[Path]:
    """Write the students' repository into `target`, and return the files written.

    Raises WrongUsage if `target` is not empty, if a notebook is not built, or if course/ holds a
    solution or a hidden test.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise WrongUsage(
            _("{path} is not an empty folder; name one that is empty or new"), path=target
        )
    for lesson in course.lessons:
        notebook = root / "course" / lesson.id / f"{lesson.name}.ipynb"
        if not notebook.is_file():
            raise WrongUsage(
                _("{path} is not there yet; run `python -m autograder build` first"), path=notebook
            )
    _refuse_solutions(course, root)
    for folder in FOLDERS:
        shutil.copytree(root / folder, target / folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for file in FILES:
        shutil.copy2(root / file, target / file)
    (target / "README.md").write_text(_readme(course), encoding="utf-8")
    (target / ".gitignore").write_text(GITIGNORE, encoding="utf-8")
    return sorted(path for path in target.rglob("*") if path.is_file())


def refuse_outdated(course: Course, root: Path = ROOT) -> None:
    """Raises WrongUsage if a notebook opens with another address or version than the course's."""
    for lesson in course.lessons:
        notebook = root / "course" / lesson.id / f"{lesson.name}.ipynb"
        cells = nbformat.read(notebook, 4).cells if notebook.is_file() else []
        named = [cell.source for cell in opening(course, lesson)]
        if cells and [cell.source for cell in cells[: len(named)]] != named:
            raise WrongUsage(
                _("{notebook} names another address or version than the course now has; run "
                  "`python -m autograder build` first"),
                notebook=notebook,
            )  # fmt: skip


def _refuse_solutions(course: Course, root: Path) -> None:
    secrets = [(_("a hidden test"), squeeze(HIDDEN_BEGIN))]
    for lesson in course.lessons:
        secrets += solution_texts(lesson)
    for path, text in course_texts(root / "course"):
        for what, piece in secrets:
            if piece in text:
                raise WrongUsage(
                    _("{path} holds {what}; nothing was published: {piece!r}"),
                    path=path, what=what, piece=piece,
                )  # fmt: skip


def _readme(course: Course) -> str:
    rows = [
        f"| {lesson.id[:2]} | [{lesson.title}](course/{lesson.id}/{lesson.name}.ipynb) |"
        for lesson in course.lessons
    ]
    return README.format(
        title=course.title,
        repository=course.repository,
        repository_name=course.repository.rstrip("/").rpartition("/")[2],
        lessons="\n".join(rows),
    )


def run(target: Path, console: Console | None = None) -> int:
    """The command: publish, and print how many files were written."""
    course = read_course()
    refuse_outdated(course)
    written = publish(course, target)
    console = console or Console()
    message = ngettext(
        "{count} file for students is in {target}. Push it to {repository}, branch {branch}, with "
        "the tag {tag}, which Colab and Binder take.",
        "{count} files for students are in {target}. Push them to {repository}, branch {branch}, "
        "with the tag {tag}, which Colab and Binder take.",
        len(written),
    )
    messages = [
        message.format(
            count=len(written),
            target=target,
            repository=course.repository,
            branch=course.branch,
            tag=course.tag,
        )
    ]
    if course.on_github.partition("/")[0] == UNNAMED_OWNER:
        message = _(
            "But {repository} is no address of yours, and the README, the badges and the first "
            "cell of each notebook name it: write yours into autograder/course.toml, build, and "
            "publish again."
        )
        messages.append(message.format(repository=course.repository))
    for message in messages:
        console.print(message, highlight=False, markup=False, soft_wrap=True)
    return 0
