"""Runs released notebooks, blanks and all, and keeps what they showed."""

import hashlib
import tempfile
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.authoring.prove.notebooks import errors_in, execute
from autograder.errors import AuthoringError
from autograder.files import replace
from autograder.language import _
from autograder.lesson.components import KnownAnswer
from autograder.lesson.lesson import ROOT, Lesson
from autograder.lesson.notebook import to_bytes
from transformer_workbook.shared.notebook import NOTEBOOK_IMPORTS

START_CELL = 'import transformer_workbook as wb\n\nwb.start("{lesson}", language="{language}")'


def executed(
    notebook: NotebookNode, cache: Path, root: Path = ROOT, before: str = ""
) -> NotebookNode:
    """The notebook with its outputs, from `cache` if it and the students' package are as then.

    The code `before` runs before its first cell. Raises AuthoringError if a cell raises an error.
    """
    digest = hashlib.sha256(to_bytes(notebook) + before.encode())
    package = root / "course" / "transformer_workbook"
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.read_bytes())
    kept = cache / f"{digest.hexdigest()[:24]}.ipynb"
    if not kept.is_file():
        with tempfile.TemporaryDirectory(prefix="site-") as folder:
            execute(notebook, Path(folder), root, before)
        for cell in notebook.cells:
            for error in errors_in(cell):
                raise AuthoringError(_("{source}\nraised {error}"), source=cell.source, error=error)
        text = nbformat.writes(notebook, nbformat.NO_CONVERT).replace(f"{folder}/", "")
        replace(kept, text.replace(folder, "this folder").encode())
    ran: NotebookNode = nbformat.read(kept, nbformat.NO_CONVERT)
    return ran


def check_of(
    lesson: Lesson, component: str, wrong: KnownAnswer, cache: Path, language: str
) -> list[NotebookNode]:
    """What the check of a component shows of a known wrong answer."""
    checked = f'wb.check("{component}")'
    start = START_CELL.format(lesson=lesson.id, language=language)
    cells = [start, f"{NOTEBOOK_IMPORTS}\n{wrong.source}", checked]
    made = [new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(cells)]
    shown: list[NotebookNode] = executed(new_notebook(cells=made), cache).cells[-1].outputs
    return shown
