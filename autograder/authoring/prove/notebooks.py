"""Runs a lesson's notebook in a kernel, as a student does: empty, and filled in."""

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbclient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from traitlets.config import Config

from autograder.language import _
from autograder.lesson.components import Component
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import reference_notebook, student_notebook

STORE = "from transformer_workbook.own_code import store"
SECONDS = 900  # for one cell: lessons train models
FIRST = 60  # characters of a cell, to find it by


def faults_of(course: Course, lesson: Lesson, root: Path) -> Iterator[str]:
    """What goes wrong in the lesson's notebook, as released and filled in, cell by cell."""
    file = lesson.folder / "lesson.py"
    text = file.read_text(encoding="utf-8")
    for notebook, state, is_filled in (
        (student_notebook(course, lesson, quick=True), _("as released"), False),
        (reference_notebook(course, lesson), _("filled in"), True),
    ):
        with tempfile.TemporaryDirectory(prefix="prove-") as folder:
            try:
                execute(notebook, Path(folder), root, saved_code(lesson) if is_filled else "")
            except (CellTimeoutError, DeadKernelError) as error:
                yield f"{state}: {error}"
                continue
        for cell in notebook.cells:
            where = f"{_place(cell, file, text)}, {state}"
            yield from (f"{where}: {raised}" for raised in errors_in(cell))
            if cell.source.startswith("wb.check(") and is_green(cell) != is_filled:
                said = text_of(cell).strip().partition("\n")[0]
                message = (
                    _("{where}: the check is not green: {said}")
                    if is_filled
                    else _("{where}: the check is green, with nothing filled in: {said}")
                )
                yield message.format(where=where, said=said)


def saved_code(lesson: Lesson, written: Callable[[Component], str] | None = None) -> str:
    """Code that saves earlier components as the student's own: those of the reference.

    With `written` it is what that returns for each, and this lesson's are saved, too.
    """
    saves = []
    for earlier in (*lesson.earlier, lesson) if written else lesson.earlier:
        for name, component in earlier.components.items():
            if not component.is_bug_hunt:
                source = written(component) if written else component.source
                used = [
                    other
                    for other in lesson.stand_ins
                    if other != name and re.search(rf"\b{other}\b", source)
                ]
                saves.append(f"store.save({name!r}, {source!r}, {used!r})")
    return "\n".join([STORE, *saves])


def execute(notebook: NotebookNode, folder: Path, root: Path, before: str = "") -> None:
    """Run all cells in a kernel of their own, errors and all, after the code `before`.

    What the notebook saves goes into `folder`; `root` is the repository that holds course/.
    """
    paths = os.pathsep.join([str(root / "course"), os.environ.get("PYTHONPATH", "")])
    known = os.environ | {
        "WORKBOOK_HOME": str(folder),
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": paths.strip(os.pathsep),
        # Lesson 11 takes its smallest setting, and number words: the folder has no Multi30k.
        "TRANSLATION_SETTING": "trial",
        "MULTI30K_DIR": str(folder),
    }
    notebook.cells.insert(0, new_code_cell(before, id="before"))
    try:
        run_in_kernel(notebook, folder, known, stderr=subprocess.DEVNULL)
    finally:
        del notebook.cells[0]


def run_in_kernel(
    notebook: NotebookNode,
    folder: Path,
    environment: dict[str, str],
    kernel: str = "python3",
    seconds: int = SECONDS,
    **options: Any,
) -> None:
    """Run all cells in a new kernel, errors and all; `options` are those of its process.

    It is reached by files, for of two kernels that choose one port at once, one dies.
    """
    with tempfile.TemporaryDirectory(prefix="kernel-") as sockets:
        by_files = {"transport": "ipc", "ip": str(Path(sockets) / "socket")}
        client = nbclient.NotebookClient(
            notebook, timeout=seconds, kernel_name=kernel, allow_errors=True,
            config=Config(KernelManager={} if os.name == "nt" else by_files),  # Windows has none
            resources={"metadata": {"path": str(folder)}},
        )  # fmt: skip
        client.execute(env=environment, **options)


def errors_in(cell: NotebookNode) -> list[str]:
    """The exceptions that a cell raised."""
    return [
        f"{output.ename}: {output.evalue}"
        for output in cell.get("outputs", [])
        if output.output_type == "error"
    ]


def text_of(cell: NotebookNode) -> str:
    """All that a cell printed or showed, as text."""
    outputs = cell.get("outputs", [])
    printed = [output.get("text", "") for output in outputs]
    return "".join(printed + [o.get("data", {}).get("text/plain", "") for o in outputs])


def is_green(cell: NotebookNode) -> bool:
    """Whether the report of a check says that all cases passed."""
    return text_of(cell).startswith("✓")


def _place(cell: NotebookNode, file: Path, text: str) -> str:
    """The line of a cell in `file`, whose text this is; its first words where it is derived."""
    place = text.find(cell.source)
    if cell.source and place >= 0:
        line = text.count("\n", 0, place) + 1
        return f"{file}:{line}"
    return _("the cell {source!r}").format(source=cell.source[:FIRST])
