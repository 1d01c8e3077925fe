"""Reads a lesson's narrative: jupytext's percent format, with a few marks of our own.

# %% [markdown]                              prose
# %% name="saturation"                       code that the student runs as it is
# %% quick="training"                        code that runs only in tests: makes what follows quick
# %% answer="MultiHeadAttention"             the answer cell; its code comes from the reference
# %% check="MultiHeadAttention"              the check beside it, which is also the graded test
# %% hand_in="translation"                 code, graded by what is handed in beside the notebook
# %% [markdown] question="1" points="2"      a question answered in prose, graded by hand
# %% [markdown] rubric="1"                   what earns its points
# %% [markdown] model="1"                    a model answer; `wb.answer` shows both, afterwards
"""

import math
from dataclasses import dataclass
from pathlib import Path

import jupytext
from nbformat import NotebookNode

from autograder.errors import AuthoringError
from autograder.language import _

from .author_files import read_source

MARKS = ("quick", "answer", "check", "hand_in", "question", "rubric", "model")
_UNCOUNTED = ("quick", "model")  # cells are known by their numbers; nobody receives these


@dataclass(frozen=True)
class NarrativeCell:
    """One cell. `kind` is "markdown", "code" or one of MARKS."""

    kind: str
    name: str
    source: str
    points: float = 0.0


def read_narrative(path: Path) -> list[NarrativeCell]:
    """Read the cells of a lesson.py. Raises AuthoringError that names the cell."""
    notebook = jupytext.reads(read_source(path), fmt="py:percent")
    cells: list[NarrativeCell] = []
    number = 0
    for cell in notebook.cells:
        cells.append(_cell(path, number, cell))
        number += cells[-1].kind not in _UNCOUNTED
    own_names = ("rubric", "model", "check")  # of cells that share the name of another
    names = [(cell.kind if cell.kind in own_names else "", cell.name) for cell in cells]
    for made, name in zip(cells, names, strict=True):
        if names.count(name) > 1:
            raise AuthoringError(
                _("{path}: the name {name!r} is there more than once"), path=path, name=made.name
            )
    answers = [cell.name for cell in cells if cell.kind == "answer"]
    checks = [cell.name for cell in cells if cell.kind == "check"]
    if answers != checks:
        raise AuthoringError(
            _("{path}: answers {answers} and checks {checks} are not the same"),
            path=path, answers=answers, checks=checks,
        )  # fmt: skip
    return cells


def _cell(path: Path, number: int, cell: NotebookNode) -> NarrativeCell:
    marks = [mark for mark in MARKS if mark in cell.metadata]
    if len(marks) > 1:
        raise AuthoringError(
            _("{path}: cell {number} is {names} at once"),
            path=path, number=number, names=_(" and ").join(marks),
        )  # fmt: skip
    keys = {*MARKS, "name", "points", "lines_to_next_cell", "title"}
    unknown = cell.metadata.keys() - keys
    if unknown:
        raise AuthoringError(
            _("{path}: cell {number} has the unknown mark {unknown}"),
            path=path, number=number, unknown=sorted(unknown),
        )  # fmt: skip
    if not marks:
        kind = cell.cell_type
        return NarrativeCell(kind, str(cell.metadata.get("name", f"cell-{number}")), cell.source)
    mark = marks[0]
    name = str(cell.metadata[mark])
    if mark in ("answer", "check"):
        if cell.source.strip():
            raise AuthoringError(
                _("{path}: the {mark} cell of {name!r} must be empty"),
                path=path, mark=mark, name=name,
            )  # fmt: skip
        return NarrativeCell(mark, name, "")
    if mark in ("hand_in", "quick"):
        if cell.cell_type != "code" or not cell.source.strip():
            raise AuthoringError(
                _("{path}: the {mark} cell of {name!r} must be code"),
                path=path, mark=mark, name=name,
            )  # fmt: skip
        return NarrativeCell(mark, name, cell.source)
    if cell.cell_type != "markdown" or not cell.source.strip():
        raise AuthoringError(
            _("{path}: {mark} {name!r} must be a markdown cell with text"),
            path=path, mark=mark, name=name,
        )  # fmt: skip
    points = _points(path, name, cell.metadata.get("points")) if mark == "question" else 0.0
    return NarrativeCell(mark, f"question_{name}", cell.source, points)


def _points(path: Path, name: str, given: object) -> float:
    """The points of a question. Raises AuthoringError."""
    if given is None:
        raise AuthoringError(_("{path}: question {name!r} has no points"), path=path, name=name)
    try:
        points = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        points = 0.0
    if not 0 < points < math.inf:
        raise AuthoringError(
            _('{path}: question {name!r} has the points {given!r}; expected a number above 0, such '
              'as points="2.5"'),
            path=path, name=name, given=given,
        )  # fmt: skip
    return points
