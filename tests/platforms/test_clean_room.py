"""Every lesson on Colab, as near to it as one machine comes: see `colab` in conftest.py.

Each notebook lies alone in an empty folder. Code goes from one lesson to the next as students carry
it: downloaded at the end, uploaded at the beginning. Trainings are made quick. The first lesson,
one that carries code and trains, and the one with packages of its own show all that Colab does
otherwise; the soak tests take every lesson.
"""

import json
import re
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell
from the_course import PUBLISHED

from autograder.lesson.notebook import reference_notebook

COURSE = PUBLISHED
GIB = 1 << 30
NOT_ON_COLAB = {"autograder", "jupyterlab", "nbgrader", "transformer"}

LOOK = f"""
import json, re, sys
from importlib.metadata import version
status = open("/proc/self/status").read() if sys.platform == "linux" else ""
peak = re.search(r"VmHWM:\\s+(\\d+) kB", status)
print(json.dumps({{
    "peak": int(peak[1]) << 10 if peak else 0,
    "versions": {{name: version(name) for name in NAMES}},
    "foreign": sorted({NOT_ON_COLAB} & set(sys.modules)),
    "package": wb.__file__,
}}))
"""

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="Colab is Linux"),
    # One worker takes them all, in order, so that there is one room.
    pytest.mark.xdist_group("clean-room"),
]

SAMPLE = {"06-masks", "11-translation"}
LESSONS = [
    pytest.param(lesson.id, marks=[] if lesson.id in SAMPLE else pytest.mark.soak)
    for lesson in COURSE.lessons
]


@pytest.mark.parametrize("id", LESSONS)
def test_a_lesson_alone_in_an_empty_folder_runs_with_all_checks_passed(
    colab, colab_versions, stand_ins_in, id
):
    lesson = COURSE.lesson(id)
    notebook = reference_notebook(COURSE, lesson, quick=True)
    uploads, downloads = (colab.folder / "browser" / name for name in ("uploads", "downloads"))
    carried = _names_in(uploads / "my_transformer.zip")
    start = next(i for i, cell in enumerate(notebook.cells) if "wb.start(" in cell.source)
    if carried:
        notebook.cells.insert(start + 1, new_code_cell("wb.unpack()"))
    names = [*colab_versions, "torch"]
    last = ["wb.pack()", "wb.finish(download=True)", LOOK.replace("NAMES", repr(names))]
    notebook.cells += map(new_code_cell, last)
    ran = colab.run(notebook, id)
    assert ran.errors() == []

    # The first cell: no word of pip, the lesson's name, and how code is kept.
    first = ran.said(start)
    assert first.startswith("Ready: "), first
    assert "wb.pack()" in first
    checks = [i for i, cell in enumerate(ran.cells) if cell.source.startswith("wb.check(")]
    assert len(checks) == len(lesson.components)
    for index in checks:
        assert ran.said(index).startswith("✓"), ran.said(index)

    # Earlier lessons' parts are those that were carried here.
    said = "\n".join(ran.said(index) for index in range(len(ran.cells)))
    assert not stand_ins_in(said) & carried

    # The last ones: code and notebook are downloaded, and only questions are open.
    open_parts = re.findall(r"^  (\w+): ", ran.said(-2), flags=re.MULTILINE)
    assert open_parts == [question.name for question in lesson.questions]
    assert nbformat.read(downloads / f"{lesson.name}.ipynb", 4).metadata.workbook.lesson == id
    kept = _names_in(downloads / "my_transformer.zip")
    assert carried <= kept
    assert {name for name, one in lesson.components.items() if not one.is_bug_hunt} <= kept
    (downloads / "my_transformer.zip").replace(uploads / "my_transformer.zip")
    if carried:
        assert ran.said(start + 1).startswith("Your code is back: ")

    found = json.loads(ran.said(-1))
    assert found["versions"] == colab_versions | {"torch": colab.torch}, "Colab's own is changed"
    assert found["foreign"] == []
    assert Path(found["package"]).is_relative_to(colab.folder / "venv"), "lent, not installed"
    # Binder gives 2 GB to a server and its kernels; a lesson has to stay far below.
    assert found["peak"] < GIB, f"{found['peak'] / GIB:.2f} GiB"
    print(
        f"{id}: peak memory {found['peak'] / GIB:.2f} GiB, "
        f"first check passed after {ran.seconds(checks[0]):.0f} s of computing"
    )


def _names_in(packed: Path) -> set[str]:
    """The components in a my_transformer.zip; none if there is no such file."""
    if not packed.exists():
        return set()
    with zipfile.ZipFile(packed) as archive:
        return {Path(name).stem for name in archive.namelist()}
