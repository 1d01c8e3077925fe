"""Looks at an installation: what is wrong with it, and how to mend it. Works without torch."""

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
DISK_NEEDED, DISK_WISHED = 1, 5  # GiB
# Which pieces of ipywidgets in the notebook and in JupyterLab belong together, by major version.
PAIRS = {7: 1, 8: 3}


@dataclass(frozen=True)
class Finding:
    """One line of the report: `kind` is "ok", "note" or "problem"."""

    kind: str
    text: str
    mend: str = ""


def _say(kind: str, key: str, mend: str = "", **details) -> Finding:
    said = texts()["doctor"]
    return Finding(kind, said[key].format(**details), said[mend].format(**details) if mend else "")


def examine() -> list[Finding]:
    """All that the doctor looks at, in the order of the report."""
    machine = look_at_machine()
    return [
        *python(),
        *packages(),
        *torch(machine),
        *widgets(),
        *pictures(machine),
        *workbook(),
        *notebooks(home().parent),
        *disk(home()),
    ]


def run() -> int:
    """The command: print the report; 1 if there is a problem."""
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


def look_at_machine() -> dict:
    """What torch, numpy and matplotlib are like, tried in a process of their own."""
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
    """Whether this Python was tried with the course."""
    version = ".".join(map(str, sys.version_info[:3]))
    newest = ".".join(map(str, NEWEST_TRIED))
    if sys.version_info[:2] > NEWEST_TRIED:
        return [_say("note", "python_new", version=version, newest=newest)]
    return [_say("ok", "python", version=version, program=sys.executable)]


def packages() -> list[Finding]:
    """Whether what the course asks for is installed, in a version that it was made for."""
    found = []
    for requirement in asked_for():
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


def asked_for() -> list:
    """What the course's package asks for, from its metadata or the pyproject.toml beside it."""
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
    """The installed version of a package, without what a local build adds; None if missing."""
    try:
        return metadata.version(name).partition("+")[0]
    except metadata.PackageNotFoundError:
        return None


def torch(machine: dict) -> list[Finding]:
    """Whether torch and numpy work, also together, and on what they compute."""
    if machine.get("died"):
        return [_say("problem", "died", "install_torch")]
    found = []
    for name in ("numpy", "torch"):
        if machine.get(name) and version_of(name):
            mend = "reinstall_torch" if name == "torch" else "reinstall"
            found.append(_say("problem", "broken", mend, name=name, problem=machine[name]))
    if machine.get("together"):
        versions = {"numpy": version_of("numpy"), "torch": version_of("torch")}
        found.append(_say("problem", "not_together", "together", **versions))
    if "cuda_build" in machine:
        found.append(_device(machine))
    return found


def _device(machine: dict) -> Finding:
    gpu, cuda = machine.get("gpu"), machine["cuda_build"]
    if gpu:
        return _say("ok", "gpu", **gpu)
    if cuda:
        return _say("note", "gpu_unseen", "gpu_driver", cuda=cuda)
    if shutil.which("nvidia-smi"):
        return _say("note", "cpu_build", "cuda_build")
    return _say("ok", "cpu")


def widgets() -> list[Finding]:
    """Whether JupyterLab has the piece that draws the sliders of this ipywidgets."""
    here, lab = version_of("ipywidgets"), version_of("jupyterlab")
    if not here or not lab or colab.on_colab():
        return []
    expected = PAIRS.get(int(here.partition(".")[0]))
    piece = version_of("jupyterlab_widgets")
    if expected is None or (piece and int(piece.partition(".")[0]) == expected):
        return []
    details = {"ipywidgets": here, "piece": piece or texts()["doctor"]["none"]}
    return [_say("problem", "widgets", "mend_widgets", **details, expected=expected)]


def pictures(machine: dict) -> list[Finding]:
    """Whether matplotlib can draw."""
    if machine.get("matplotlib.pyplot") and version_of("matplotlib"):
        chosen = os.environ.get("MPLBACKEND")
        problem = machine["matplotlib.pyplot"]
        if chosen:
            return [_say("problem", "backend", "mend_backend", chosen=chosen, problem=problem)]
        return [_say("problem", "broken", "reinstall", name="matplotlib", problem=problem)]
    return []


def workbook() -> list[Finding]:
    """Whether the package is whole, there once, and may write the student's own code."""
    found = []
    recorded = PACKAGE / "recorded"
    try:
        lessons = json.loads((recorded / "index.json").read_text(encoding="utf-8"))["lessons"]
        whole = all((recorded / f"{one}.{end}").is_file()
                    for one in lessons for end in ("json", "evidence"))  # fmt: skip
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
    """Whether the notebooks in and below this folder fit the package."""
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
    """Whether there is room for the student's code, trained weights and a corpus."""
    there = next(path for path in (folder, *folder.parents) if path.is_dir())
    free = shutil.disk_usage(there).free / 2**30
    if free < DISK_NEEDED:
        return [_say("problem", "disk", "mend_disk", free=free, folder=there, gib=DISK_NEEDED)]
    if free < DISK_WISHED:
        return [_say("note", "disk_small", free=free, folder=there, gib=DISK_WISHED)]
    return [_say("ok", "disk_free", free=free)]
