"""Builds what a release consists of, and tries each part without this repository."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from autograder.errors import WrongUsage
from autograder.language import _
from autograder.lesson.course import read_course
from autograder.lesson.lesson import ROOT
from transformer_workbook import __version__

from .publish import publish, refuse_outdated, refuse_unnamed

NOTES = "NOTES.md"
TRANSLATE = "import transformer_workbook as wb; print(wb.translator.translate(21))"
# What each package has to do once it is installed: its commands, in an empty folder.
SMOKE: dict[str, tuple[tuple[str, ...], ...]] = {
    "transformer_workbook": (
        ("-m", "transformer_workbook", "doctor"),
        ("-c", TRANSLATE),
    ),
    "transformer_autograder": (("-m", "autograder", "--help"), ("-m", "autograder", "grade", "-h")),
}


def release_notes(changelog: str, version: str) -> str:
    """What CHANGELOG.md says of a version. Raises WrongUsage if it has no section of it."""
    found = re.search(rf"(?ms)^## \[?{re.escape(version)}\]?\b[^\n]*\n(.*?)(?=^## |\Z)", changelog)
    if not found or not found[1].strip():
        raise WrongUsage(
            _("CHANGELOG.md has no section \"## {version}\": rename Unreleased to it, with the "
              "date, and open a new one"),
            version=version,
        )  # fmt: skip
    return found[1].strip() + "\n"


def release(target: Path, pip_flags: list[str], console: Console, root: Path = ROOT) -> None:
    """Write the students' zip, both wheels and the notes into `target`, and try them.

    `pip_flags` are options for each installation. Raises WrongUsage if the course is not ready to
    be published, or a part fails; its output is shown.
    """
    course = read_course()
    refuse_unnamed(course, target)
    refuse_outdated(course, root)
    notes = release_notes((root / "CHANGELOG.md").read_text(encoding="utf-8"), __version__)
    target.mkdir(parents=True, exist_ok=True)
    (target / NOTES).write_text(notes, encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        work = Path(folder)
        name = course.repository.rpartition("/")[2]
        students = work / "students" / f"{name}-{__version__}"
        publish(course, students, root)
        base = str(target / students.name)
        shutil.make_archive(base, "zip", students.parent, students.name)
        options = ["--no-deps", "--no-build-isolation", "-q", "-w", str(target)]
        _call([sys.executable, "-m", "pip", "wheel", *options, f"{students}/course", str(root)])
        wheels: list[str] = []
        pinned = [*pip_flags, "-c", str(root / "constraints.txt")]
        for package, commands in SMOKE.items():
            (wheel,) = target.glob(f"{package}-{__version__}-*.whl")
            wheels.append(str(wheel))
            console.print(_("Trying {wheel} ...").format(wheel=wheel.name), markup=False)
            _try_out(work / package, wheels, commands, pinned)


def _try_out(
    folder: Path, wheels: list[str], commands: tuple[tuple[str, ...], ...], pip_flags: list[str]
) -> None:
    """Install the wheels into an environment of their own, and call what has to work there."""
    environment, empty = folder / "venv", folder / "empty"
    empty.mkdir(parents=True)
    _call([sys.executable, "-m", "venv", str(environment)])
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    _call([str(python), "-m", "pip", "install", "-q", *pip_flags, *wheels])
    for command in commands:
        _call([str(python), "-I", *command], empty)


def _call(command: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise WrongUsage(
            _("{command}\nfailed:\n{said}"),
            command=shlex.join(command),
            said=f"{done.stdout}{done.stderr}".strip(),
        )


def run(target: Path, pip_flags: str, console: Console) -> int:
    """The command: build, try, and list what is to be uploaded."""
    release(target, shlex.split(pip_flags), console)
    for path in sorted(target.iterdir()):
        console.print(str(path), markup=False, soft_wrap=True)
    return 0
