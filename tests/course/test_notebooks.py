"""Every notebook runs from top to bottom as it is released, and with parts of other names.

Filled in, the clean room runs it (tests/platforms), and `prove`.
"""

import re
import zlib

import pytest
from the_course import COURSE
from warm_kernels import warm_kernels

from autograder.authoring.prove.notebooks import errors_in, execute, saved_code, text_of
from autograder.lesson.notebook import reference_notebook, student_notebook

LESSONS = [lesson.id for lesson in COURSE.lessons]
KOREAN = [lesson.id for lesson in COURSE.lessons if lesson.catalogue("ko").messages]


@pytest.fixture(scope="module")
def kernels():
    with warm_kernels() as folder:
        yield folder


@pytest.fixture(autouse=True)
def run_in_warm_kernels(kernels, monkeypatch):
    monkeypatch.setenv("JUPYTER_PATH", kernels)


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=[pytest.mark.soak] * (id[:2] != "06")) for id in KOREAN]
)
def test_a_korean_notebook_filled_in_has_green_checks_and_speaks_korean(id, tmp_path, root):
    lesson = COURSE.lesson(id)
    notebook = reference_notebook(COURSE, lesson, quick=True, language="ko")
    execute(notebook, tmp_path, root, saved_code(lesson))
    for cell in (cell for cell in notebook.cells if cell.source.startswith("wb.check(")):
        assert re.match("✓ .*[가-힣]", text_of(cell)), text_of(cell)
    assert not any(map(errors_in, notebook.cells))


def said_by(notebook) -> str:
    return "\n".join(text_of(cell) for cell in notebook.cells)


def test_the_first_blank_of_the_course_is_reached_within_ten_minutes():
    cells = student_notebook(COURSE, COURSE.lessons[0]).cells
    first = next(i for i, cell in enumerate(cells) if cell.source.startswith("def split_heads("))
    read = [cell.source for cell in cells[:first] if cell.cell_type == "markdown"]
    # A hundred words a minute, for a reader in a foreign language who thinks about each.
    assert sum(len(text.split()) for text in read) < 10 * 100


# Other tests run 01, 05, 06 and 11 filled in; `prove` of a lesson runs its notebook both ways.
SAMPLE = ("00", "02", "04", "07", "08", "13")


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=[pytest.mark.soak] * (id[:2] not in SAMPLE)) for id in LESSONS]
)
def test_as_released_every_check_names_a_blank_and_nothing_fails(id, tmp_path, root, stand_ins_in):
    """Pictures and all else run too, with stand-ins for what is not written yet."""
    lesson = COURSE.lesson(id)
    notebook = student_notebook(COURSE, lesson, quick=True)
    execute(notebook, tmp_path, root)
    assert [error for cell in notebook.cells for error in errors_in(cell)] == []
    uses = any("wb.use(" in cell.source for cell in notebook.cells)
    assert stand_ins_in(said_by(notebook)) or not uses
    for cell in notebook.cells:
        if cell.source.startswith("wb.check("):
            said = text_of(cell)
            assert said.startswith("✗"), said
            if "bug_hunt" not in cell.source:
                assert "blank is still empty" in said


def own_names(source: str) -> set[str]:
    return set(re.findall(r"\bself\.(\w+)", source))


def in_other_names(component) -> str:
    """The right answer that shares fewest attributes with the reference."""
    names = own_names(component.source)
    answers = [component.source, *(answer.source for answer in component.right)]
    return max(answers, key=lambda code: (len(own_names(code) - names), zlib.crc32(code.encode())))


# Lesson 11 hands in weights under the names of the lessons, and says how to rename others.
@pytest.mark.soak
@pytest.mark.parametrize("id", [id for id in LESSONS[1:] if not id.startswith("11")])
def test_cells_work_with_right_answers_that_name_their_parts_otherwise(id, tmp_path, root):
    lesson = COURSE.lesson(id)
    notebook = student_notebook(COURSE, lesson, quick=True)
    execute(notebook, tmp_path, root, saved_code(lesson, in_other_names))
    assert [error for cell in notebook.cells for error in errors_in(cell)] == []
    assert "could not be loaded" not in said_by(notebook)
