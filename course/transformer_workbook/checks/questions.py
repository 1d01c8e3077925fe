"""The questions that are answered in prose, in the notebook that is open."""

import json
import os
from pathlib import Path
from typing import Any

from ..diagnosis.recorded_lessons import index
from ..own_code import colab


def answers_in(notebook: dict[str, Any], prefix: str = "question_") -> dict[str, str]:
    """What was written to each question of a notebook; empty if nothing was.

    With another `prefix`, what stands in the cells whose names begin with it.
    """
    answers = {}
    for cell in notebook.get("cells", []):
        name = cell.get("metadata", {}).get("nbgrader", {}).get("grade_id", "")
        if name.startswith(prefix):
            written = "".join(cell.get("source", "")).replace(index()["answer_here"], "")
            answers[name] = written.strip()
    return answers


def notebook_of(lesson: str) -> dict[str, Any] | None:
    """The notebook: on Colab as the browser shows it, else as last saved; None if not found."""
    if colab.on_colab():
        return colab.notebook_as_shown()
    named = Path(os.environ.get("JPY_SESSION_NAME", ""))  # set by Jupyter's server
    here = sorted(Path.cwd().glob("*.ipynb"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in [named, *here]:
        try:
            notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if notebook["metadata"]["workbook"]["lesson"] == lesson:
                return notebook
        except (OSError, ValueError, KeyError, TypeError):  # not a notebook of the course
            continue
    return None
