"""No cell scrolls sideways: at 100 columns every line of code is in sight, also when filled in."""

import re

import pytest
from the_course import COURSE

from autograder.lesson.notebook import reference_notebook, student_notebook

COLUMNS = 100
FENCED = re.compile(r"^(?:```|~~~).*?\n(.*?)^(?:```|~~~)", re.MULTILINE | re.DOTALL)


def too_wide(cells) -> list[str]:
    """The lines that a notebook does not break: code, and blocks of code in Markdown."""
    texts = [cell.source for cell in cells if cell.cell_type == "code"]
    texts += [text for cell in cells if cell.cell_type == "markdown"
              for text in FENCED.findall(cell.source)]  # fmt: skip
    return [line for text in texts for line in text.splitlines() if len(line) > COLUMNS]


@pytest.mark.parametrize("lesson", COURSE.lessons, ids=lambda lesson: lesson.id)
@pytest.mark.parametrize("derive", [student_notebook, reference_notebook])
def test_code_is_in_sight(lesson, derive):
    assert too_wide(derive(COURSE, lesson).cells) == []
