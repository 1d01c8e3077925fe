"""What a cell has to show is seen: it is the last thing that the cell says."""

import ast

import pytest
from the_course import COURSE

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
            assert lost_calls(cell.source) == [], cell.source
