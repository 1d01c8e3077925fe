"""The questions that are answered in prose, in the notebook that is open."""

import json
import os
from pathlib import Path
from typing import Any

from ..diagnosis.recorded_lessons import index
from ..own_code import colab

_LEAST = 20  # characters, each word counted once: less is no answer


def is_answer(text: str) -> bool:
    """Whether a text is more than a few words."""
    return sum(map(len, set(text.split()))) >= _LEAST


def answers_in(notebook: dict[str, Any]) -> dict[str, str]:
    """What was written to each question of a notebook; empty if nothing was."""
    return {
        name: text.replace(index()["answer_here"], "").strip()
        for name, text in graded_cells_in(notebook).items()
        if name.startswith("question_")
    }


def graded_cells_in(notebook: dict[str, Any]) -> dict[str, str]:
    """What stands in the cells of answers, questions and tests, by the name of each."""
    return {
        cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", ""): "".join(
            cell.get("source", "")
        )
        for cell in notebook.get("cells", [])
    }


def notebook_of(lesson: str) -> dict[str, Any] | None:
    """The notebook: on Colab as the browser shows it, else as last saved; None if not found."""
    if colab.on_colab():
        return colab.notebook_as_shown()
    named = Path(os.environ.get("JPY_SESSION_NAME", ""))  # set by Jupyter's server
    notebooks = sorted(
        Path.cwd().glob("*.ipynb"), key=lambda path: path.stat().st_mtime, reverse=True
    )
    for path in [named, *notebooks]:
        try:
            notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if notebook["metadata"]["workbook"]["lesson"] == lesson:
                return notebook
        except (OSError, ValueError, KeyError, TypeError):  # not a notebook of the course
            continue
    return None
