"""Kernels that notebooks run in: the one of this environment, and one as Colab has it.

The clean room is a virtual environment with the versions of Colab, a stand-in for Colab's own
package, and neither JupyterLab nor anything of this repository. The students' package is installed
there by the notebooks' first cell, with git, from the very address that it names; git is told that
this address is a repository here.

What differs from Colab: Python and torch are those of the environment that runs the tests (a CPU
build), or those of the Python that CLEAN_ROOM_PYTHON names.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from the_course import PUBLISHED

from autograder.authoring.prove.notebooks import run_in_kernel

ROOT = Path(__file__).resolve().parents[2]
STAND_IN = Path(__file__).resolve().parent / "colab_stand_in"

COLAB = {  # tests ask the fixture `colab_versions`
    "ipykernel": "6.17.1",
    "ipython": "7.34.0",
    "ipywidgets": "7.7.1",
    "matplotlib": "3.10.0",
    "numpy": "2.1.3",
}
# What only those versions need. All else is lent, as torch is.
OLDER = ["backcall", "decorator", "ipython-genutils", "nest-asyncio", "pickleshare"]
NOT_LENT = re.compile(
    r"(ipykernel|ipython(?!_pygments)|ipywidgets|jupyterlab(?!_widgets)|jupytext|matplotlib(?!_inline)|"
    r"mpl_toolkits|nbclient|nbconvert|nbgrader|notebook|numpy|sacrebleu|transformer_|__editable__|_editable|"
    r"__pycache__|.*\.pth$)",
    re.IGNORECASE,
)


@pytest.fixture(scope="session")
def colab_versions() -> dict[str, str]:
    return COLAB


class Ran:
    """A notebook that was run; cells are counted from 0."""

    def __init__(self, notebook: nbformat.NotebookNode) -> None:
        self.cells = notebook.cells

    def said(self, index: int) -> str:
        """All that a cell printed or showed, as text."""
        outputs = self.cells[index].get("outputs", [])
        return "".join(
            one.get("text", "") + one.get("data", {}).get("text/plain", "") for one in outputs
        )

    def seconds(self, last: int) -> float:
        """How long the kernel computed, up to the end of a cell."""
        took = 0.0
        for cell in self.cells[: last + 1]:
            if times := cell.metadata.get("execution"):
                begun, ended = times["iopub.execute_input"], times["shell.execute_reply"]
                span = datetime.fromisoformat(ended) - datetime.fromisoformat(begun)
                took += span.total_seconds()
        return took

    def shown(self, index: int) -> list[str]:
        """What a cell showed as HTML."""
        outputs = self.cells[index].get("outputs", [])
        return [html for one in outputs if (html := one.get("data", {}).get("text/html"))]

    def errors(self, index: int | None = None) -> list[str]:
        """The errors of a cell, or of all."""
        cells = self.cells if index is None else [self.cells[index]]
        return [
            f"{output.ename}: {output.evalue} in {cell.source[:80]!r}"
            for cell in cells
            for output in cell.get("outputs", [])
            if output.output_type == "error"
        ]


@dataclass
class Platform:
    """Somewhere that notebooks run: a kernel, its environment, and a folder for its runtimes."""

    kernel: str
    folder: Path
    environment: dict[str, str]
    torch: str = ""

    def run(self, notebook: nbformat.NotebookNode | list[str], name: str) -> Ran:
        """Run a notebook, or some cells, in a kernel of its own.

        The notebook lies alone in an empty folder; the folder of an earlier run of that name is
        taken up again, as after a restart of the kernel.
        """
        if isinstance(notebook, list):
            notebook = new_notebook(cells=[new_code_cell(source) for source in notebook])
        runtime = self.folder / name
        runtime.mkdir(exist_ok=True)
        nbformat.write(notebook, runtime / f"{name}.ipynb")
        if "COLAB_STAND_IN" in self.environment:
            nbformat.write(notebook, Path(self.environment["COLAB_STAND_IN"]) / "notebook.ipynb")
        run_in_kernel(notebook, runtime, self.environment, self.kernel, seconds=240)
        return Ran(notebook)


@pytest.fixture(scope="session")
def here(tmp_path_factory) -> Platform:
    """JupyterLab's kernel, in the environment of these tests."""
    environment = {name: value for name, value in os.environ.items() if name != "WORKBOOK_HOME"}
    return Platform("python3", tmp_path_factory.mktemp("here"), environment)


@pytest.fixture(scope="session")
def colab(tmp_path_factory) -> Iterator[Platform]:
    """The clean room. What its browser downloads lies in `browser/downloads`."""
    base = tmp_path_factory.mktemp("clean-room")
    lender = Path(os.environ.get("CLEAN_ROOM_PYTHON", sys.executable))
    call(lender, "-m", "venv", "--without-pip", base / "venv")
    python = base / "venv" / "bin" / "python"
    pins = [f"{name}=={version}" for name, version in COLAB.items()]
    call(
        *(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps"),
        *("--disable-pip-version-check", *pins, *OLDER),
    )
    torch = lend(lender, base / "lent")
    program = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(call(python, "-c", program).strip())
    (packages / "lent.pth").write_text(f"{base / 'lent'}\n{STAND_IN}\n")

    startup = base / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "00-colab.py").write_text("import google.colab\n")
    spec = base / "jupyter" / "kernels" / "colab"
    spec.mkdir(parents=True)
    argv = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (spec / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "Colab", "language": "python"})
    )
    publish_with_git(base / "repository")
    (base / "browser" / "uploads").mkdir(parents=True)
    (base / "browser" / "downloads").mkdir()
    environment = {
        **os.environ,
        "COLAB_STAND_IN": str(base / "browser"),
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": f"url.file://{base / 'repository'}.insteadOf",
        "GIT_CONFIG_VALUE_0": PUBLISHED.repository,
        "GIT_CONFIG_KEY_1": "safe.directory",
        "GIT_CONFIG_VALUE_1": "*",
        "IPYTHONDIR": str(base / "ipython"),
        "JUPYTER_PATH": str(base / "jupyter"),
        # Lesson 11 takes its smallest setting, and number words: the folder has no Multi30k.
        "MULTI30K_DIR": str(base),
        "TRANSLATION_SETTING": "trial",
    }
    for name in ("PYTHONPATH", "WORKBOOK_HOME"):
        environment.pop(name, None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", environment["JUPYTER_PATH"])
        yield Platform("colab", base, environment, torch)


def call(*command: object, **options) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=600, **options
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def lend(python: Path, to: Path) -> str:
    """Links to what another environment has installed, but for what must not be there.

    Returns the version of torch that is lent.
    """
    program = (
        "import json, sysconfig\n"
        "from importlib.metadata import version\n"
        "print(json.dumps([*sysconfig.get_paths().values(), version('torch')]))"
    )
    *folders, torch = json.loads(call(python, "-c", program))
    to.mkdir()
    for folder in {Path(one) for one in folders if one.endswith("-packages")}:
        for path in folder.iterdir():
            if not NOT_LENT.match(path.name):
                (to / path.name).symlink_to(path)
    return torch


def publish_with_git(to: Path) -> None:
    """A repository with what students get, and the tag that course.toml names."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in call(*listing, "course", "LICENSE", cwd=ROOT).split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)
    who = ["-c", "user.name=Test", "-c", "user.email=test@localhost"]
    call("git", "init", "-q", to)
    call("git", "add", ".", cwd=to)
    call("git", *who, "commit", "-q", "-m", "The course", cwd=to)
    call("git", *who, "tag", PUBLISHED.tag, cwd=to)
