"""The command `remove-lesson`: a lesson goes with all that only it has."""

import dataclasses
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.prompt import Confirm

from autograder import files
from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.components import read_and_bound
from autograder.lesson.course import read_course
from autograder.lesson.lesson import ROOT, Lesson
from transformer_workbook.shared.probing import module_name

from .build import MODULES, derive_course, leftovers


def remove_lesson(
    name: str, agree: Callable[[list[Path]], bool] = lambda paths: True, root: Path = ROOT
) -> bool:
    """Remove a lesson with its line and all that only it has, if a person agrees.

    Raises WrongUsage if there is none, or if another lesson needs what it builds.
    """
    file = root / "autograder" / "course.toml"
    course = read_course(file, file.parent / "lessons", root / MODULES)
    others = tuple(lesson for lesson in course.lessons if lesson.id != name)
    left = dataclasses.replace(course, lessons=others)
    kept = leftovers(course, root)
    before = [path for path in kept if path.name not in (name, module_name(name))]
    goes = [path for path in leftovers(left, root) if path not in before]
    if not goes:
        known = ", ".join(lesson.id for lesson in others)
        raise WrongUsage(_("there is no lesson {name!r}, but {known}"), name=name, known=known)
    built = {component for lesson in course.lessons if lesson.id == name
             for component in lesson.components}  # fmt: skip
    for lesson in others:
        if needed := built & names_used(lesson):
            raise WrongUsage(
                _("{name} stays: {lesson} builds on its {needed}"),
                name=name, lesson=lesson.id, needed=", ".join(sorted(needed)),
            )  # fmt: skip
    if not agree(goes):
        return False
    for path in goes:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.rmtree(root / "autograder" / "source" / name, ignore_errors=True)
    line = rf'(?m)^\s*\{{ folder = "{re.escape(name)}".*\n'
    files.replace(file, re.sub(line, "", file.read_text(encoding="utf-8")).encode())
    for derived, content in derive_course(left, root).items():
        files.replace(root / derived, content)
    return True


def names_used(lesson: Lesson) -> set[str]:
    """The names in the code of a lesson's components and in its calls of `wb.use`."""
    calls = re.findall(r"wb\.use\(([^)]*)\)", (lesson.folder / "lesson.py").read_text("utf-8"))
    code = (read_and_bound(component.source)[0] for component in lesson.components.values())
    return set(re.findall(r"\w+", " ".join(calls))).union(*code)


def remove_lesson_command(name: str, console: Console, is_agreed: bool) -> int:
    """The command: shows what goes, and asks unless it `is_agreed`; the exit code."""

    def agree(paths: list[Path]) -> bool:
        for path in paths:
            console.print(str(path.relative_to(ROOT)), markup=False, soft_wrap=True)
        question = _("Delete these, and the lesson's line in course.toml?")
        return is_agreed or Confirm.ask(question, console=console, default=False)

    return 0 if remove_lesson(name, agree) else 1
