"""Writes the students' repository: the course without solutions and tests."""

import os
import shlex
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import jinja2
import nbformat
from rich.console import Console

from autograder.errors import WrongUsage
from autograder.language import _, ngettext
from autograder.lesson.course import Course, read_course
from autograder.lesson.lesson import ROOT
from autograder.lesson.notebook import HIDDEN_BEGIN, opening, student_notebook, to_bytes
from autograder.lesson.translation import ENGLISH

from . import guides
from .catalogues import begun, in_other_languages, languages_of, tell_stale
from .found_address import with_found_address
from .front_page import lessons_table
from .prove.leaks import course_texts, solution_texts, squeeze
from .record_lesson import index

CONTAINER = ".devcontainer/devcontainer.json"
FILES = ("environment.yml", "LICENSE", "docs/students.md", "course/pyproject.toml", CONTAINER)
# In these folders all files are ours: in an update, those that the course no longer has go. Of a
# lesson's folder it is the notebook alone: a run there leaves weights and data beside it.
OURS = ("course/transformer_workbook", "binder")
LEFT_OUT = ("__pycache__", "*.egg-info", "build", ".ipynb_checkpoints", "my_transformer*", "*.pyc")
INDEX = "course/transformer_workbook/lessons/index.json"  # like notebooks, it has the address
MARK = "course/transformer_workbook/__init__.py"  # by which a folder is known for a course's

# These files are in the course's language, as the lessons are.
PUBLISHED = Path(__file__).parent / "templates" / "published"


def publish(course: Course, target: Path, root: Path = ROOT) -> list[Path]:
    """Write the students' repository into `target`, and return the files written.

    `target` may be new, empty, a clone that is empty, or one that was published into before, which
    is brought up to date: files of the package that it no longer has are removed, others stay.
    Raises WrongUsage if it is anything else, if the course has no address, if a notebook is not
    built, or if course/ holds a solution or a hidden test.
    """
    _refuse_unnamed(course)
    if target.exists() and not target.is_dir():
        raise WrongUsage(_("{path} is a file; name a folder"), path=target)
    inside = {path.name for path in target.iterdir()} if target.exists() else set()
    if inside - {".git"} and not (target / MARK).is_file():
        raise WrongUsage(
            _("{path} is not an empty folder, and no course was published into it before; name one "
              "that is empty or new, or a clone of the students' repository"),
            path=target,
        )  # fmt: skip
    for lesson in course.lessons:
        path = root / lesson.path()
        if not path.is_file():
            raise WrongUsage(_("{path} is not there yet; run `autograder build` first"), path=path)
    _refuse_solutions(course, root)
    written = [target / "README.md", target / ".gitignore"]
    left_out = shutil.ignore_patterns(*LEFT_OUT)
    for folder in OURS:
        for place, folders, files in os.walk(root / folder):
            skipped = left_out(place, [*folders, *files])
            folders[:] = [name for name in folders if name not in skipped]
            here = target / Path(place).relative_to(root)
            written += [_copied(Path(place) / name, here / name) for name in set(files) - skipped]
    written += [_copied(root / file, target / file) for file in FILES]
    for lesson in course.lessons:
        for language in (ENGLISH, *languages_of(course, lesson)):
            written.append(target / lesson.path(language))
            written[-1].parent.mkdir(parents=True, exist_ok=True)
            notebook = student_notebook(course, lesson, language=language)
            written[-1].write_bytes(to_bytes(notebook))
    (target / INDEX).write_bytes(index(course))
    (target / "README.md").write_text(_readme(course), encoding="utf-8")
    for language in begun(course):
        (target / INDEX).with_suffix(f".{language}.json").write_bytes(index(course, language))
        readme, guide = (guides.in_language(f, language) for f in (guides.README, guides.STUDENTS))
        (target / readme).write_text(_readme(course, language), encoding="utf-8")
        written += [target / readme, _copied(root / guide, target / guide)]
    shutil.copyfile(PUBLISHED / "gitignore", target / ".gitignore")
    for folder in OURS:
        for path in (target / folder).rglob("*"):
            if path.is_file() and path not in written and "__pycache__" not in path.parts:
                path.unlink()
    return sorted(written)


def _copied(source: Path, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, path)
    return path


def _refuse_unnamed(course: Course) -> None:
    """Raises WrongUsage if course.toml says not where students get the course."""
    if not course.repository:
        raise WrongUsage(
            _("autograder/course.toml does not say where students get the course, so there are no "
              "badges, and Colab cannot install the package. Write\n    repository = "
              "\"https://github.com/your-name/your-course\"\ninto it, run `autograder build`, "
              "and publish again, or publish into a clone of your course from GitHub")
        )  # fmt: skip


def refuse_outdated(course: Course, root: Path = ROOT) -> None:
    """Raises WrongUsage if a notebook is not what `build` derives now.

    It may open with another address or version than the course's, or somebody has worked in it.
    """
    for lesson in course.lessons:
        notebook = root / lesson.path()
        cells = nbformat.read(notebook, 4).cells if notebook.is_file() else []
        named = [cell.source for cell in opening(course, lesson)]
        if cells and [cell.source for cell in cells[: len(named)]] != named:
            raise WrongUsage(
                _("{notebook} names another address or version than the course now has; run "
                  "`autograder build` first"),
                notebook=notebook,
            )  # fmt: skip
        if cells and notebook.read_bytes() != to_bytes(student_notebook(course, lesson)):
            raise WrongUsage(
                _("{notebook} is not what `build` derives from the lesson; run `python -m "
                  "autograder build` first, or see with git what has changed"),
                notebook=notebook,
            )  # fmt: skip


def refuse_known_tag(course: Course, target: Path) -> None:
    """Raises WrongUsage if the clone has the course's tag already: Colab installs what it names."""
    if not (target / ".git").exists():
        return
    known = ["git", "-C", str(target), "rev-parse", "-q", "--verify", f"refs/tags/{course.tag}"]
    try:
        is_known = subprocess.run(known, capture_output=True).returncode == 0
    except OSError:  # without git, the publisher tags in another way
        return
    if is_known:
        raise WrongUsage(
            _("{path} has the tag {tag} already, and Colab would install the package of then; "
              "write another tag into autograder/course.toml, build, and publish again"),
            path=target, tag=course.tag,
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


def _readme(course: Course, language: str = ENGLISH) -> str:
    text = guides.translated(guides.PUBLISHED, guides.catalogue(language))
    template = jinja2.Template(text, trim_blocks=True, keep_trailing_newline=True)
    table, others = lessons_table(course, language), in_other_languages(course, language)
    return str(template.render(course=course, lessons=table, others=others))


def publish_command(target: Path, console: Console | None = None) -> int:
    """The command: publish, and print how many files were written."""
    course = read_course()
    refuse_outdated(course)
    # `make release` writes below this repository, and its zip is no clone to be pushed.
    is_clone = (target / ".git").exists()
    is_given_out = bool(is_clone or course.repository)
    if is_clone or target.resolve().is_relative_to(ROOT):
        found = with_found_address(course, target if is_clone else ROOT)
        course = replace(found, on_colab=is_given_out)  # git's notebooks name no address
    _refuse_unnamed(course)
    refuse_known_tag(course, target)
    written = publish(course, target)
    console = console or Console()
    tell_stale(course, list(course.lessons), console)
    message = ngettext(
        "{count} file for students is in {target}.", "{count} files for students are in {target}.",
        len(written),
    ).format(count=len(written), target=target)  # fmt: skip
    commands = [_("To give it out:"), *git_commands(course, target)] if is_given_out else []
    for line in (message, *commands):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    return 0


def git_commands(course: Course, target: Path) -> list[str]:
    """What puts the folder where students get it from: into a new repository, or into its clone."""
    git = f"git -C {shlex.quote(str(target))}"
    commands = []
    if not (target / ".git").exists():
        commands = [
            f"{git} init -b {course.branch}",
            f"{git} remote add origin {course.repository}.git",
        ]
    return [
        f"    {command}"
        for command in (
            *commands,
            f"{git} add -A",
            f"{git} commit -m {shlex.quote(f'{course.title}, {course.tag}')}",
            f"{git} tag {course.tag}",
            f"{git} push origin {course.branch} {course.tag}",
        )
    ]
