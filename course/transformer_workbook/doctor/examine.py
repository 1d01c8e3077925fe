"""Examines an installation and suggests fixes. Imports no torch, which may be broken."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from .. import __version__
from ..own_code import colab
from ..own_code.paths import home
from ..shared.language import _

PACKAGE = Path(__file__).parents[1]
NEWEST_TRIED = (3, 13)
# docs/students.md says the same, by a test.
CPU_IS_ENOUGH = _(
    "A CPU is enough for all lessons; lesson 11 trains a smaller model on it. A lesson's first "
    "cell measures whether torch is faster with one thread or with several."
)
UPDATE_PACKAGE = _(
    "In a copy of the course: git pull, then pip install ./course. In Colab: Runtime > Disconnect "
    "and delete runtime."
)
INSTALL_TORCH = _(
    "With an NVIDIA card: pip install torch. Without: pip install torch "
    "--index-url https://download.pytorch.org/whl/cpu"
)
REINSTALL_TORCH = _(
    "pip uninstall -y torch, then with an NVIDIA card: pip install torch; without: pip install "
    "torch --index-url https://download.pytorch.org/whl/cpu. On Windows, also install Microsoft's "
    "Visual C++ Redistributable."
)


@dataclass(frozen=True)
class Checkup:
    """One line of the report, and how to fix it; `kind` is "ok", "note" or "problem"."""

    kind: str
    text: str
    fix: str = ""


def examine() -> list[Checkup]:
    """All checkups, in the order of the report."""
    libraries = probe_libraries()
    return [
        *python(),
        *packages(),
        *torch(libraries),
        *pictures(libraries),
        *workbook(),
    ]


def run() -> int:
    """Print the report; the exit code, 1 if there is a problem."""
    kinds = {"ok": _("ok"), "note": _("note"), "problem": _("PROBLEM")}
    title = _("transformer_workbook {version} in {folder}")
    print(title.format(version=__version__, folder=PACKAGE))
    checkups = examine()
    for checkup in checkups:
        print(f"{kinds[checkup.kind]:8} {checkup.text}")
        if checkup.fix:
            print(f"{'':8} -> {checkup.fix}")
    problems = sum(checkup.kind == "problem" for checkup in checkups)
    if problems:
        summary = _("Problems: {count}. Fix them from the top, then run this again.")
        print(summary.format(count=problems))
    else:
        print(_("No problems found."))
    return 1 if problems else 0


def probe_libraries() -> dict:
    """The facts of `libraries.facts`, from a process of its own; {"died": True} if it dies."""
    command = [sys.executable, "-m", f"{__package__}.libraries"]
    path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=180,
            env={**os.environ, "PYTHONPATH": path},
        )  # fmt: skip
        return json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        return {"died": True}


def python() -> list[Checkup]:
    """Whether the course was tested with this Python."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] > NEWEST_TRIED:
        newest = ".".join(map(str, NEWEST_TRIED))
        text = _(
            "Python {version} is newer than {newest}, the newest version that the course was "
            "tested with."
        )
        return [Checkup("note", text.format(version=version, newest=newest))]
    text = _("Python {version}, {program}")
    return [Checkup("ok", text.format(version=version, program=sys.executable))]


def packages() -> list[Checkup]:
    """Whether the course's requirements are installed in compatible versions."""
    checkups = []
    for requirement in requirements():
        name, asked = requirement.name, str(requirement.specifier)
        version = version_of(name)
        install = f'pip install "{name}{asked}"'
        if version is None and requirement.marker is not None:  # of an extra
            text = (
                _("{name} is not installed; only lessons 11 and 15 need it.")
                if name == "tokenizers"
                else _("{name} is not installed; only the lesson on translation needs it.")
            )
            checkups.append(Checkup("note", text.format(name=name), install))
        elif version is None:
            text = _("{name} is not installed (required: {asked}).").format(name=name, asked=asked)
            checkups.append(Checkup("problem", text, INSTALL_TORCH if name == "torch" else install))
        elif not requirement.specifier.contains(version, prereleases=True):
            text = _("{name} {version} does not fit: the course needs {asked}.")
            text = text.format(name=name, version=version, asked=asked)
            checkups.append(Checkup("problem", text, INSTALL_TORCH if name == "torch" else install))
        else:
            checkups.append(Checkup("ok", f"{name} {version}"))
    if not colab.on_colab() and not any(map(version_of, ("jupyterlab", "notebook"))):
        text = _("There is no JupyterLab in this environment.")
        checkups.append(Checkup("note", text, "pip install jupyterlab"))
    return checkups


def requirements() -> list:
    """The package's requirements, from the pyproject.toml of its folder or its metadata."""
    file = PACKAGE.parent / "pyproject.toml"
    if file.is_file():
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        lines = list(project["dependencies"])
        for extra, more in project["optional-dependencies"].items():
            lines += [f'{line}; extra == "{extra}"' for line in more]
    else:
        lines = metadata.requires("transformer-workbook") or []
    requirement = _requirement_class()
    return [requirement(line) for line in lines]


def _requirement_class() -> type:
    """That of `packaging`; of pip's own copy; or, in a Python that lacks both, NameOnly."""
    for module in ("packaging.requirements", "pip._vendor.packaging.requirements"):
        try:
            return importlib.import_module(module).Requirement
        except ImportError:
            continue
    return NameOnly


class NameOnly:
    """A requirement of which only the name is compared: any version fits."""

    def __init__(self, line: str):
        requirement, _semicolon, marker = line.partition(";")
        self.name = re.match(r"[\w.-]+", requirement.strip())[0]
        self.specifier = AnyVersion(requirement.strip()[len(self.name) :].strip())
        self.marker = marker.strip() or None


class AnyVersion(str):
    """The versions that a requirement asks for, as text; all of them fit."""

    def contains(self, version: str, prereleases: bool = False) -> bool:
        return True


def version_of(name: str) -> str | None:
    """The installed version of a package, without a local label; None if it is missing."""
    try:
        return metadata.version(name).partition("+")[0]
    except metadata.PackageNotFoundError:
        return None


def torch(libraries: dict) -> list[Checkup]:
    """Whether torch works, alone and with numpy; its file format; and which device it uses."""
    if libraries.get("died"):
        text = _("Python crashes or hangs when torch is imported.")
        return [Checkup("problem", text, INSTALL_TORCH)]
    checkups = []
    for name in ("numpy", "safetensors", "torch"):
        if libraries.get(name) and version_of(name):
            checkups.append(_broken(name, libraries[name]))
    if libraries.get("together"):
        text = _(
            "torch {torch} and numpy {numpy} do not work together: torch was built for another "
            "numpy."
        )
        checkups.append(
            Checkup(
                "problem",
                text.format(torch=version_of("torch"), numpy=version_of("numpy")),
                _('pip install --upgrade torch; or, to keep this torch: pip install "numpy<2"'),
            )
        )
    if "cuda_build" in libraries:
        checkups.append(_device(libraries))
    return checkups


def _broken(name: str, problem: str) -> Checkup:
    text = _("{name} is installed but cannot be imported: {problem}")
    fix = f"pip install --force-reinstall --no-deps {name}"
    return Checkup(
        "problem",
        text.format(name=name, problem=problem),
        REINSTALL_TORCH if name == "torch" else fix,
    )


def _device(libraries: dict) -> Checkup:
    gpu, cuda = libraries.get("gpu"), libraries["cuda_build"]
    if gpu:
        text = _("GPU: {name}, {gib} GB, trains with {precision}")
        return Checkup("ok", text.format(**gpu))
    if cuda:
        text = _("torch is built for CUDA {cuda} and sees no GPU. {enough}")
        fix = _(
            "If there is an NVIDIA card, run nvidia-smi; if that fails, install the card's driver."
        )
        return Checkup("note", text.format(cuda=cuda, enough=CPU_IS_ENOUGH), fix)
    if shutil.which("nvidia-smi"):
        text = _("There is an NVIDIA card, but torch is a CPU build. {enough}")
        text = text.format(enough=CPU_IS_ENOUGH)
        return Checkup("note", text, _("pip uninstall -y torch, then: pip install torch"))
    return Checkup("ok", _("torch computes on the CPU. {enough}").format(enough=CPU_IS_ENOUGH))


def pictures(libraries: dict) -> list[Checkup]:
    """Whether matplotlib can draw."""
    if libraries.get("matplotlib.pyplot") and version_of("matplotlib"):
        chosen = os.environ.get("MPLBACKEND")
        problem = libraries["matplotlib.pyplot"]
        if chosen:
            text = _("matplotlib does not start with MPLBACKEND={chosen}: {problem}")
            fix = _(
                "Remove MPLBACKEND from the environment: unset MPLBACKEND (Windows: set "
                "MPLBACKEND=)"
            )
            return [Checkup("problem", text.format(chosen=chosen, problem=problem), fix)]
        return [_broken("matplotlib", problem)]
    return []


def workbook() -> list[Checkup]:
    """Whether the package is complete and can write the student's own code."""
    checkups = []
    folder = PACKAGE / "lessons"
    try:
        lessons = json.loads((folder / "index.json").read_text(encoding="utf-8"))["lessons"]
        names = [lesson.partition("-")[2].replace("-", "_") for lesson in lessons]
        is_complete = all((folder / name / f"recorded.{end}").is_file()
                          for name in names for end in ("json", "safetensors.gz"))  # fmt: skip
    except (OSError, ValueError, KeyError):
        is_complete = False
    if not is_complete:
        text = _("The package is incomplete: files are missing in {folder}.")
        checkups.append(Checkup("problem", text.format(folder=folder), UPDATE_PACKAGE))
    folder = home()
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    try:
        with tempfile.TemporaryFile(dir=there):
            text = _("Your own code is kept in {folder}")
            checkups.append(Checkup("ok", text.format(folder=folder)))
    except OSError as error:
        text = _(
            "Your own code could not be saved: nothing can be written into {folder} ({problem})."
        )
        fix = _(
            "Move the course to a folder of your own, or name one: WORKBOOK_HOME=FOLDER in the "
            "environment of JupyterLab"
        )
        checkups.append(Checkup("problem", text.format(folder=there, problem=error), fix))
    return checkups
