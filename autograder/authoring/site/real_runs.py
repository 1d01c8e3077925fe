"""Keeps what cells showed in a real run: the site is built with the smallest settings."""

import hashlib
import json
import os
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell

from autograder.authoring.prove.notebooks import errors_in, run_in_kernel, saved_code
from autograder.errors import AuthoringError
from autograder.files import replace
from autograder.language import N_, _
from autograder.lesson.course import Course
from autograder.lesson.lesson import ROOT, Lesson
from autograder.lesson.notebook import student_notebook
from transformer_workbook.lessons.translation.hardware import detect

from .executed import executed
from .pages import with_right_guesses

TOLD = N_("*Recorded on a {device} on {date}: the run of this lesson took {minutes} minutes.*")
FILE = "real_run.json"  # in the folder of the lesson
HOURS = 3  # for one cell


def source_hash(source: str) -> str:
    """What binds recorded outputs to the cell that showed them."""
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def real_run(lesson: Lesson) -> dict[str, Any]:
    """The real run of a lesson, empty without one: device, date, minutes; cells by their ids."""
    file = lesson.folder / FILE
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def with_real_outputs(course: Course, lesson: Lesson, ran: NotebookNode) -> NotebookNode:
    """The notebook, in place, with recorded outputs; cells that changed since have none."""
    run = real_run(lesson)
    if not run:
        return ran
    changed = changed_since(lesson, student_notebook(course, lesson).cells)
    for cell in ran.cells:
        if kept := run["cells"].get(cell.id):
            cell.outputs = [] if cell.id in changed else from_dict(kept["outputs"])
            cell.metadata["real_run"] = _(TOLD).format(**run)
    return ran


def changed_since(lesson: Lesson, cells: list[NotebookNode]) -> list[str]:
    """The ids of cells with recorded outputs that are gone, or have another source now."""
    now = {cell.id: source_hash(cell.source) for cell in cells}
    kept = real_run(lesson).get("cells", {})
    return [id for id, cell in kept.items() if now.get(id) != cell["source"]]


def record(course: Course, lesson: Lesson, cache: Path, root: Path = ROOT) -> Path:
    """Run the lesson's notebook as released, on this machine's setting; return what keeps it.

    Kept are the outputs that differ from those of the smallest setting, without paths of the
    machine. Raises AuthoringError if a cell raises an error.
    """
    released = {cell.id: cell.source for cell in student_notebook(course, lesson).cells}
    small, real = (
        with_right_guesses(student_notebook(course, lesson), lesson) for _copy in range(2)
    )
    saved = saved_code(lesson)
    before = {cell.id: cell.get("outputs") for cell in executed(small, cache, root, saved).cells}
    real.cells.insert(0, new_code_cell(saved))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="real-run-") as folder:
        known = {"WORKBOOK_HOME": folder, "PYTHONPATH": str(root / "course")}
        run_in_kernel(real, Path(folder), os.environ | known, seconds=HOURS * 3600)
    kept = {}
    for cell in real.cells:
        for error in errors_in(cell):
            raise AuthoringError(_("{source}\nraised {error}"), source=cell.source, error=error)
        outputs = [output for output in cell.get("outputs", []) if output.get("name") != "stderr"]
        if cell.id in released and outputs and outputs != before[cell.id]:
            kept[cell.id] = {"source": source_hash(released[cell.id]), "outputs": outputs}
    told = {
        "device": detect().name,
        "date": datetime.now(UTC).date().isoformat(),
        "minutes": round((time.monotonic() - began) / 60),
        "cells": kept,
    }
    text = json.dumps(told, ensure_ascii=False, indent=1).replace(folder, lesson.id)
    replace(lesson.folder / FILE, f"{text}\n".encode())
    return lesson.folder / FILE
