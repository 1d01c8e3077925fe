"""What a student's own cells did to the process is told, and costs nothing."""

import pytest
from nbformat.v4 import new_code_cell

from autograder.commands.grade import grade
from autograder.commands.request import Request

from ..conftest import SEED

pytestmark = pytest.mark.xdist_group("left out")


@pytest.fixture(scope="module")
def request_(hand, tmp_path_factory):
    folder = tmp_path_factory.mktemp("left out")
    notebook = hand.filled()
    notebook.cells.insert(0, new_code_cell("import os\nos._exit(3)", id="own"))
    hand.put(folder / "in", "Priya", notebook)
    hand.put(folder / "in", "Nia", hand.filled({hand.components[0]: "raise OSError('so')"}))
    return Request(folder / "in", folder / "out", sandbox="none", secret=SEED)


def test_a_cell_that_ends_python_is_told_and_all_else_is_graded(request_):
    for _ in range(2):  # new, and remembered
        _, priya = grade(request_)
        assert priya.status == "passed" and priya.score == priya.max_score
        assert [remark.key for remark in priya.repairs] == ["cell_died"]
        assert "ended Python" in priya.repairs[0].text


def test_the_summary_says_what_stopped_an_answer(request_):
    nia, _ = grade(request_)
    assert nia.status == "error"
    assert "so" in nia.message and "tests passed" in nia.message
    assert "\n" not in nia.message and len(nia.message) <= 300
