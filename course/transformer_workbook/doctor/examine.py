"""Examines an installation and suggests repairs. Imports no torch, which may be broken."""

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
from ..shared.texts import texts

PACKAGE = Path(__file__).parents[1]
NEWEST_TRIED = (3, 13)
DISK_REQUIRED, DISK_RECOMMENDED = 1, 5  # GiB
# Compatible major versions of ipywidgets and jupyterlab_widgets.
WIDGET_VERSIONS = {7: 1, 8: 3}


@dataclass(frozen=True)
class Finding:
    """One line of the report, and the repair; `kind` is "ok", "note" or "problem"."""

    kind: str
    text: str
    mend: str = ""


def _say(kind: str, key: str, mend: str = "", **details) -> Finding:
    said = texts()["doctor"]
    return Finding(kind, said[key].format(**details), said[mend].format(**details) if mend else "")


def examine() -> list[Finding]:
    """All findings, in the order of the report."""
    libraries = probe_libraries()
    return [
        *python(),
        *packages(),
        *torch(libraries),
        *widgets(),
        *pictures(libraries),
        *workbook(),
        *notebooks(home().parent),
        *disk(home()),
    ]


def run() -> int:
    """Print the report; the exit code, 1 if there is a problem."""
    said = texts()["doctor"]
    print(said["title"].format(version=__version__, folder=PACKAGE))
    findings = examine()
    for finding in findings:
        print(f"{said[finding.kind]:8} {finding.text}")
        if finding.mend:
            print(f"{'':8} -> {finding.mend}")
    problems = sum(finding.kind == "problem" for finding in findings)
    print(said["problems"].format(count=problems) if problems else said["well"])
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


def python() -> list[Finding]:
    """Whether the course was tested with this Python."""
    version = ".".join(map(str, sys.version_info[:3]))
    newest = ".".join(map(str, NEWEST_TRIED))
    if sys.version_info[:2] > NEWEST_TRIED:
        return [_say("note", "python_new", version=version, newest=newest)]
    return [_say("ok", "python", version=version, program=sys.executable)]


def packages() -> list[Finding]:
    """Whether the course's requirements are installed in compatible versions."""
    found = []
    for requirement in requirements():
        extra = requirement.marker is not None
        version = version_of(requirement.name)
        details = {"name": requirement.name, "asked": str(requirement.specifier)}
        if version is None and extra:
            found.append(_say("note", "extra_missing", "install", **details))
        elif version is None:
            found.append(_say("problem", "missing", _install(requirement.name), **details))
        elif not requirement.specifier.contains(version, prereleases=True):
            mend = _install(requirement.name)
            found.append(_say("problem", "unfit", mend, version=version, **details))
        else:
            found.append(_say("ok", "fits", version=version, **details))
    if not colab.on_colab() and not any(map(version_of, ("jupyterlab", "notebook"))):
        found.append(_say("note", "no_jupyter", "install_jupyter"))
    return found


def _install(name: str) -> str:
    return "install_torch" if name == "torch" else "install"


def requirements() -> list:
    """The package's requirements, from the pyproject.toml of its folder or its metadata."""
    from packaging.requirements import Requirement

    file = PACKAGE.parent / "pyproject.toml"
    if file.is_file():
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        lines = list(project["dependencies"])
        for extra, more in project["optional-dependencies"].items():
            lines += [f'{line}; extra == "{extra}"' for line in more]
    else:
        lines = metadata.requires("transformer-workbook") or []
    return [Requirement(line) for line in lines]


def version_of(name: str) -> str | None:
    """The installed version of a package, without a local label; None if it is missing."""
    try:
        return metadata.version(name).partition("+")[0]
    except metadata.PackageNotFoundError:
        return None


def torch(libraries: dict) -> list[Finding]:
    """Whether torch and numpy work, also together, and which device torch uses."""
    if libraries.get("died"):
        return [_say("problem", "died", "install_torch")]
    found = []
    for name in ("numpy", "torch"):
        if libraries.get(name) and version_of(name):
            mend = "reinstall_torch" if name == "torch" else "reinstall"
            found.append(_say("problem", "broken", mend, name=name, problem=libraries[name]))
    if libraries.get("together"):
        versions = {"numpy": version_of("numpy"), "torch": version_of("torch")}
        found.append(_say("problem", "not_together", "together", **versions))
    if "cuda_build" in libraries:
        found.append(_device(libraries))
    return found


def _device(libraries: dict) -> Finding:
    gpu, cuda = libraries.get("gpu"), libraries["cuda_build"]
    if gpu:
        return _say("ok", "gpu", **gpu)
    if cuda:
        return _say("note", "gpu_unseen", "gpu_driver", cuda=cuda)
    if shutil.which("nvidia-smi"):
        return _say("note", "cpu_build", "cuda_build")
    return _say("ok", "cpu")


def widgets() -> list[Finding]:
    """Whether JupyterLab's widget extension is compatible with this ipywidgets."""
    here, lab = version_of("ipywidgets"), version_of("jupyterlab")
    if not here or not lab or colab.on_colab():
        return []
    expected = WIDGET_VERSIONS.get(int(here.partition(".")[0]))
    extension = version_of("jupyterlab_widgets")
    if expected is None or (extension and int(extension.partition(".")[0]) == expected):
        return []
    details = {"ipywidgets": here, "piece": extension or texts()["doctor"]["none"]}
    return [_say("problem", "widgets", "mend_widgets", **details, expected=expected)]


def pictures(libraries: dict) -> list[Finding]:
    """Whether matplotlib can draw."""
    if libraries.get("matplotlib.pyplot") and version_of("matplotlib"):
        chosen = os.environ.get("MPLBACKEND")
        problem = libraries["matplotlib.pyplot"]
        if chosen:
            return [_say("problem", "backend", "mend_backend", chosen=chosen, problem=problem)]
        return [_say("problem", "broken", "reinstall", name="matplotlib", problem=problem)]
    return []


def workbook() -> list[Finding]:
    """Whether the package is complete and can write the student's own code."""
    found = []
    recorded = PACKAGE / "recorded"
    try:
        lessons = json.loads((recorded / "index.json").read_text(encoding="utf-8"))["lessons"]
        whole = all((recorded / f"{lesson}.{end}").is_file()
                    for lesson in lessons for end in ("json", "evidence"))  # fmt: skip
    except (OSError, ValueError, KeyError):
        whole = False
    if not whole:
        found.append(_say("problem", "not_whole", "mend_package", folder=recorded))
    folder = home()
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    try:
        with tempfile.TemporaryFile(dir=there):
            found.append(_say("ok", "writable", folder=folder))
    except OSError as error:
        found.append(_say("problem", "not_writable", "mend_folder", folder=there, problem=error))
    return found


def notebooks(folder: Path) -> list[Finding]:
    """Whether the notebooks in and below this folder were made for this version of the package."""
    versions: dict[str, list[str]] = {}
    for path in sorted([*folder.glob("*.ipynb"), *folder.glob("*/*.ipynb")])[:500]:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError):
            continue
        made = re.search(r'wb\.start\(\\"[\w-]+\\", version=\\"([\d.]+)\\"\)', text)
        if made and _numbers(made[1]) != _numbers(__version__):
            versions.setdefault(made[1], []).append(path.name)
    found = []
    for version, names in versions.items():
        details = {"notebook": version, "package": __version__, "names": ", ".join(names)}
        if _numbers(version) > _numbers(__version__):
            found.append(_say("problem", "newer_notebooks", "mend_package", **details))
        else:
            found.append(_say("note", "older_notebooks", **details))
    return found


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


def disk(folder: Path) -> list[Finding]:
    """Whether there is disk space for the student's code, trained weights and a corpus."""
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    free = shutil.disk_usage(there).free / 2**30
    if free < DISK_REQUIRED:
        return [_say("problem", "disk", "mend_disk", free=free, folder=there, gib=DISK_REQUIRED)]
    if free < DISK_RECOMMENDED:
        return [_say("note", "disk_small", free=free, folder=there, gib=DISK_RECOMMENDED)]
    return [_say("ok", "disk_free", free=free)]
