"""What a cell has to show is seen: its picture is what it says last, and no line is too wide."""

import ast
import re

import pytest
from the_course import COURSE

from autograder.lesson.notebook import reference_notebook, student_notebook

COLUMNS = 100
FENCED = re.compile(r"^(?:```|~~~).*?\n(.*?)^(?:```|~~~)", re.MULTILINE | re.DOTALL)
LOOKED_AT = {"alignment", "number_explorer", "progress"}  # check and hint show themselves


def lost_calls(source: str) -> list[str]:
    """The calls whose picture nobody sees, since Jupyter shows a last value alone."""
    *earlier, _ = ast.parse(source).body or [None]
    calls = [one.value for one in earlier if isinstance(one, ast.Expr)]
    names = [ast.unparse(call.func) for call in calls if isinstance(call, ast.Call)]
    return [
        name
        for name in names
        if name.startswith("wb.show.") or name.removeprefix("wb.") in LOOKED_AT
    ]


@pytest.mark.parametrize("id", [lesson.id for lesson in COURSE.lessons])
def test_no_picture_is_lost(id):
    lesson = COURSE.lesson(id)
    for cell in lesson.narrative:
        if cell.kind == "code":
            assert lost_calls(cell.source) == [], f"show these last in a cell: {cell.source}"


def too_wide(cells) -> list[str]:
    """The lines that a notebook does not break: code, and blocks of code in Markdown."""
    texts = [cell.source for cell in cells if cell.cell_type == "code"]
    texts += [text for cell in cells if cell.cell_type == "markdown"
              for text in FENCED.findall(cell.source)]  # fmt: skip
    return [line for text in texts for line in text.splitlines() if len(line) > COLUMNS]


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
@pytest.mark.parametrize("derive", [student_notebook, reference_notebook])
def test_code_is_in_sight(lesson, derive):
    wide = too_wide(derive(COURSE, lesson).cells)
    assert not wide, f"break these lines: JupyterLab shows {COLUMNS} columns: {wide}"
