"""Every lesson on Colab, as near to it as one machine comes.

A virtual environment of its own has the versions of Colab, a stand-in for Colab's own package,
and neither JupyterLab nor anything of this repository. Each notebook lies alone in an empty folder.
Its first cell installs the students' package with git, from the very address that it names; git
is told that this address is a repository here. Code goes from one lesson to the next as students
carry it: downloaded at the end, uploaded at the beginning.

What differs from Colab: Python and torch are those of the environment that runs the tests (a CPU
build), or those of the Python that CLEAN_ROOM_PYTHON names; trainings stop after one epoch.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import nbclient
import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.authoring.course import read_course
from autograder.authoring.notebook import reference_notebook

ROOT = Path(__file__).resolve().parents[2]
COURSE = read_course()
LESSONS = [lesson.id for lesson in COURSE.lessons]
GIB = 1 << 30

COLAB = {
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
    r"mpl_toolkits|nbclient|nbconvert|nbgrader|notebook|numpy|transformer_|__editable__|_editable|"
    r"__pycache__|.*\.pth$)",
    re.IGNORECASE,
)
NOT_ON_COLAB = {"autograder", "jupyterlab", "nbgrader", "transformer"}

# Trainings are made short; nothing else in a notebook is changed.
SHORT = """
import dataclasses
wb.number_words.LESSON = dataclasses.replace(wb.number_words.LESSON, epochs=1)
"""
LOOK = f"""
import json, re, sys
from importlib.metadata import version
status = open("/proc/self/status").read() if sys.platform == "linux" else ""
peak = re.search(r"VmHWM:\\s+(\\d+) kB", status)
print(json.dumps({{
    "peak": int(peak[1]) << 10 if peak else 0,
    "versions": {{name: version(name) for name in {[*COLAB, "torch"]}}},
    "foreign": sorted({NOT_ON_COLAB} & set(sys.modules)),
    "package": wb.__file__,
}}))
"""


@dataclass
class CleanRoom:
    """The environment, and the browser: what it has downloaded is what it uploads next."""

    folder: Path
    python: Path
    environment: dict[str, str]
    torch: str
    seen: dict[str, dict] = field(default_factory=dict)

    def run(self, notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
        """Run a notebook that lies alone in an empty folder; the folder is a new runtime's."""
        runtime = self.folder / name
        runtime.mkdir()
        nbformat.write(notebook, runtime / f"{name}.ipynb")
        nbformat.write(notebook, self.folder / "browser" / "notebook.ipynb")
        client = nbclient.NotebookClient(
            notebook, timeout=240, kernel_name="colab", allow_errors=True,
            resources={"metadata": {"path": str(runtime)}},
        )  # fmt: skip
        client.execute(env=self.environment)
        return notebook


def call(*command: object, **options) -> str:
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=600, **options
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def lend(python: Path, to: Path) -> str:
    """Links to what another environment has installed, but for what must not be there."""
    program = (
        "import json, sysconfig, torch\n"
        "print(json.dumps([*sysconfig.get_paths().values(), torch.__version__]))"
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
    listed = call("git", "ls-files", "-z", "course", "LICENSE", cwd=ROOT).split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)
    who = ["-c", "user.name=Test", "-c", "user.email=test@localhost"]
    call("git", "init", "-q", to)
    call("git", "add", ".", cwd=to)
    call("git", *who, "commit", "-q", "-m", "The course", cwd=to)
    call("git", *who, "tag", COURSE.tag, cwd=to)


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> CleanRoom:
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
    here = Path(
        call(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    )
    (here / "lent.pth").write_text(f"{base / 'lent'}\n{ROOT / 'tests/platforms/colab_stand_in'}\n")

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
    environment = {
        **os.environ,
        "COLAB_STAND_IN": str(base / "browser"),
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": f"url.file://{base / 'repository'}.insteadOf",
        "GIT_CONFIG_VALUE_0": COURSE.repository,
        "GIT_CONFIG_KEY_1": "safe.directory",
        "GIT_CONFIG_VALUE_1": "*",
        "IPYTHONDIR": str(base / "ipython"),
        "JUPYTER_PATH": str(base / "jupyter"),
    }
    environment.pop("PYTHONPATH", None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_PATH", environment["JUPYTER_PATH"])
        yield CleanRoom(base, python, environment, torch)


def said(cell) -> str:
    """All that a cell printed or showed, as text."""
    outputs = cell.get("outputs", [])
    return "".join(
        one.get("text", "") + one.get("data", {}).get("text/plain", "") for one in outputs
    )


def errors(notebook) -> list[str]:
    return [
        f"{cell.source[:80]!r}: {output.ename}: {output.evalue}"
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    ]


pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Colab is Linux"),
    # One worker takes them all, in order, so that there is one room.
    pytest.mark.xdist_group("clean-room"),
]


@pytest.mark.parametrize("id", LESSONS)
def test_a_lesson_alone_in_an_empty_folder_runs_with_all_checks_passed(room, id):
    lesson = COURSE.lesson(id)
    notebook = reference_notebook(COURSE, lesson)
    uploads, downloads = room.folder / "browser" / "uploads", room.folder / "browser" / "downloads"
    carried = {path.name for path in uploads.iterdir()}
    start = next(i for i, cell in enumerate(notebook.cells) if "wb.start(" in cell.source)
    added = [SHORT] + (["wb.unpack()"] if carried else [])
    notebook.cells[start + 1 : start + 1] = map(new_code_cell, added)
    notebook.cells += map(new_code_cell, ["wb.pack()", "wb.finish(download=True)", LOOK])
    room.run(notebook, id)
    assert errors(notebook) == []

    # The first cell: no word of pip, the lesson's name, and how code is kept.
    first = said(notebook.cells[start])
    assert first.startswith("Ready: "), first
    assert "wb.pack()" in first
    checks = [cell for cell in notebook.cells if cell.source.startswith("wb.check(")]
    assert len(checks) == len(lesson.components)
    for cell in checks:
        assert said(cell).startswith("✓"), said(cell)

    # The last ones: code and notebook are downloaded, and only questions are open.
    open_parts = re.findall(r"^  (\w+): ", said(notebook.cells[-2]), flags=re.MULTILINE)
    assert open_parts == [question.name for question in lesson.questions]
    assert nbformat.read(downloads / f"{lesson.name}.ipynb", 4).metadata.workbook.lesson == id
    (downloads / "my_transformer.zip").replace(uploads / "my_transformer.zip")
    if carried:
        assert said(notebook.cells[start + 2]).startswith("Your code is back: ")

    found = json.loads(said(notebook.cells[-1]))
    assert found["versions"] == COLAB | {"torch": room.torch}, "nothing of Colab's was changed"
    assert found["foreign"] == []
    assert Path(found["package"]).is_relative_to(room.folder / "venv"), "installed, not lent"
    # Binder gives 2 GB to a server and its kernels; a lesson has to stay far below.
    assert found["peak"] < GIB, f"{found['peak'] / GIB:.2f} GiB"
    print(f"{id}: peak memory {found['peak'] / GIB:.2f} GiB")
