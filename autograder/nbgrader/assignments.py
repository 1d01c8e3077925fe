"""Keeps an assignment of the gradebook in step with its lesson.

nbgrader refuses to add or remove cells once there are submissions. Here the cells are replaced;
grades and comments of the others stay.
"""

from typing import Any

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import (
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
)


def fit_cells(gradebook: Gradebook, lesson: str, name: str, notebook: NotebookNode) -> None:
    """Give notebook `name` of assignment `lesson` the cells that `notebook` has, in one step.

    Does nothing where there is no submission yet. Grades and comments of cells that are gone go
    with them; every submission gets an empty grade and comment for each new cell.
    """
    try:
        recorded = gradebook.find_notebook(name, lesson)
    except MissingEntry:
        return
    if not recorded.submissions:
        return
    marked = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    wanted = {
        GradeCell: {_id(cell): cell for cell in marked if utils.is_grade(cell)},
        SolutionCell: {_id(cell): cell for cell in marked if utils.is_solution(cell)},
        SourceCell: {
            _id(cell): cell
            for cell in marked
            if utils.is_grade(cell) or utils.is_solution(cell) or utils.is_locked(cell)
        },
    }
    present = {
        GradeCell: list(recorded.grade_cells),
        SolutionCell: list(recorded.solution_cells),
        SourceCell: list(recorded.source_cells),
    }
    database = gradebook.db
    for kind, cells in present.items():
        for cell in cells:
            if cell.name not in wanted[kind]:
                for entry in [*getattr(cell, "grades", ()), *getattr(cell, "comments", ())]:
                    database.delete(entry)
                database.delete(cell)
        names = {cell.name for cell in cells}
        for id, cell in wanted[kind].items():
            if id not in names:
                database.add(_new(kind, id, recorded, cell))
    database.flush()
    database.expire_all()
    for submission in recorded.submissions:
        graded = {grade.cell_id for grade in submission.grades}
        commented = {comment.cell_id for comment in submission.comments}
        for cell in recorded.grade_cells:
            if cell.id not in graded:
                database.add(Grade(cell_id=cell.id, notebook=submission))
        for cell in recorded.solution_cells:
            if cell.id not in commented:
                database.add(Comment(cell_id=cell.id, notebook=submission))
    database.commit()


def _id(cell: NotebookNode) -> str:
    return str(cell.metadata.nbgrader["grade_id"])


def _new(kind: type, name: str, notebook: Notebook, cell: NotebookNode) -> Any:
    more: dict[str, Any] = {}
    if kind is not SolutionCell:
        more["cell_type"] = cell.cell_type
    if kind is GradeCell:
        more["max_score"] = float(cell.metadata.nbgrader["points"])
    return kind(name=name, notebook=notebook, **more)
