"""Every notebook runs from top to bottom: filled in, and as it is released."""

import os
import re

import nbclient
import nbformat
import pytest
from small_training import SMALL

from autograder.lesson.course import read_course
from autograder.lesson.notebook import reference_notebook, student_notebook

COURSE = read_course()
LESSONS = [lesson.id for lesson in COURSE.lessons]
# The clean room fills in every lesson, too (tests/platforms): here the others are left to soak.
BUILT_ON = ("02-multi-head-attention", "08-full-model", "11-translation", "12-faster")
FILLED_IN = [id if id in BUILT_ON else pytest.param(id, marks=pytest.mark.soak) for id in LESSONS]


def execute(notebook, folder, monkeypatch):
    """Run a notebook in a real kernel whose saved code goes into `folder`."""
    monkeypatch.setenv("WORKBOOK_HOME", str(folder))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    # Lesson 11 takes its smallest setting, and number words: the folder has no Multi30k.
    monkeypatch.setenv("TRANSLATION_SETTING", "trial")
    monkeypatch.setenv("MULTI30K_DIR", str(folder))
    client = nbclient.NotebookClient(
        notebook, timeout=240, kernel_name="python3", allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )  # fmt: skip
    client.execute(env=dict(os.environ))
    return notebook


def texts_of(cell) -> str:
    """All that a cell printed or showed, as text."""
    found = [output.get("text", "") for output in cell.get("outputs", [])]
    data = [output.get("data", {}) for output in cell.get("outputs", [])]
    return "".join(found) + "".join(one.get("text/plain", "") for one in data)


def stand_ins_of(notebook) -> set[str]:
    """The components that `wb.use` said to be stand-ins."""
    said = "\n".join(texts_of(cell) for cell in notebook.cells)
    found = re.findall(r"^stand-ins made[^:]*:\s(\w+(?:,\s\w+)*)", said, flags=re.MULTILINE)
    return {name for names in found for name in re.findall(r"\w+", names)}


def errors_of(notebook) -> list[str]:
    return [
        f"{cell.source[:80]!r}: {output.ename}: {output.evalue}"
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error"
    ]


@pytest.mark.parametrize("id", FILLED_IN)
def test_filled_in_on_code_carried_forward_all_checks_pass(
    id, tmp_path, carry_forward, monkeypatch
):
    lesson = COURSE.lesson(id)
    carry_forward(lesson, tmp_path)
    notebook = execute(reference_notebook(COURSE, lesson), tmp_path, monkeypatch)
    assert errors_of(notebook) == []
    built = {name for earlier in lesson.earlier for name in earlier.components}
    assert not built & stand_ins_of(notebook)
    checks = [cell for cell in notebook.cells if cell.source.startswith("wb.check(")]
    assert len(checks) == len(lesson.components)
    for cell in checks:
        assert texts_of(cell).startswith("✓"), texts_of(cell)
    components = [name for name, one in lesson.components.items() if not one.is_bug_hunt]
    saved = {path.stem for path in (tmp_path / "my_transformer").glob("*.py")}
    assert set(components) <= saved


@pytest.mark.parametrize("id", LESSONS)
def test_as_released_every_check_names_a_blank_and_nothing_fails(id, tmp_path, monkeypatch):
    """Pictures and all else run too, with stand-ins for what is not written yet."""
    lesson = COURSE.lesson(id)
    notebook = student_notebook(COURSE, lesson)
    if id[:2] in ("09", "10"):  # filled in, the clean room trains in full
        notebook.cells.insert(2, nbformat.v4.new_code_cell(SMALL, id="small"))
    notebook = execute(notebook, tmp_path, monkeypatch)
    assert errors_of(notebook) == []
    assert stand_ins_of(notebook) or not lesson.earlier
    for cell in notebook.cells:
        if cell.source.startswith("wb.check("):
            said = texts_of(cell)
            assert said.startswith("✗"), said
            if "bug_hunt" not in cell.source:
                assert "blank is still empty" in said
