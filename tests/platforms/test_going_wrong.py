"""What goes wrong in a real kernel is said in a sentence: on both sides of IPython's versions."""

import random

import pytest
from the_course import PUBLISHED

from autograder.lesson.notebook import reference_notebook, student_notebook

COURSE = PUBLISHED
LESSON = COURSE.lesson("00-warm-up")
FIRST = student_notebook(COURSE, LESSON).cells[1].source
RELEASED = LESSON.components["split_heads"].released
RIGHT = LESSON.components["split_heads"].source

pytestmark = pytest.mark.xdist_group("clean-room")


@pytest.fixture(scope="module", params=["here", "colab"])
def platform(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def ran(platform):
    """Some cells in the order below, in one kernel; what each did, by its name."""
    cells = {
        "start": FIRST,
        "too early": "print(scores)",
        "blank": RELEASED,
        "blank called": "split_heads(torch.zeros(2, 3, 8), 2)",
        "blank checked": 'wb.check("split_heads")',
        "not run": 'wb.check("merge_heads")',
        "no such part": 'wb.check("split_haeds")',
        "no such call": "wb.shwo",
        "checked in the middle": 'wb.check("split_heads")\nprint("after it")',
        "checked in a loop": 'for name in ("split_heads", "merge_heads"):\n    wb.check(name)',
        "kept in a name": 'kept = wb.check("split_heads")',
        "shown again": "kept",
        "hint in the middle": 'wb.hint("cut")\nprint("after it")',
        "cannot be read": "def split_heads(x, num_heads:\n    return x",
        "read after all": RIGHT,
        "right": 'wb.check("split_heads")',
        "newer notebook": 'wb.start("00-warm-up", version="99.0")',
        "older notebook": 'wb.start("00-warm-up", version="0.0.1")',
        "newer lesson": 'wb.start("99-new", version="99.0")',
    }
    done = platform.run(list(cells.values()), "going-wrong")
    place = {name: index for index, name in enumerate(cells)}

    class Cells:
        def said(self, name):
            return " ".join(done.said(place[name]).split())  # however the lines are broken

        def shown(self, name):
            return done.shown(place[name])

        def errors(self, name):
            return done.errors(place[name])

    return Cells()


def test_a_name_of_a_cell_that_did_not_run(ran):
    (error,) = ran.errors("too early")
    assert "NameError" in error
    assert "Nothing called scores is defined so far" in ran.said("too early")
    assert "run that cell first" in ran.said("too early")


def test_a_blank_left_in_is_named_without_a_traceback(ran):
    said = ran.said("blank called")
    assert ran.errors("blank called") == []
    assert said.startswith("A blank is still empty here: d_k = ____")
    assert 'wb.hint("d_k")' in said
    assert "still empty: d_k" in ran.said("blank checked")


def test_a_check_before_its_cell(ran):
    assert "Run the cell that defines it" in ran.said("not run")


def test_names_that_do_not_exist(ran):
    assert "Did you mean split_heads?" in ran.said("no such part")
    (error,) = ran.errors("no such call")
    assert "There is no wb.shwo" in error and "run its first cell" in error


def test_a_check_shows_wherever_it_stands_and_once(ran):
    assert "split_heads" in ran.said("checked in the middle")
    assert "after it" in ran.said("checked in the middle")
    for name in ("blank checked", "checked in the middle", "kept in a name", "shown again"):
        assert len(ran.shown(name)) == 1, name
    assert len(ran.shown("checked in a loop")) == 2


def test_a_hint_shows_wherever_it_stands(ran):
    assert len(ran.shown("hint in the middle")) == 1
    assert "hints for cut" in ran.said("hint in the middle")


def test_a_cell_that_python_cannot_read_spoils_nothing(ran):
    (error,) = ran.errors("cannot be read")
    assert "SyntaxError" in error
    assert ran.said("right").startswith("✓")


def test_package_and_notebook_of_different_versions(ran):
    assert "made for version 99.0" in ran.said("newer notebook")
    assert "update the package" in ran.said("newer notebook")
    assert "made for version 0.0.1" in ran.said("older notebook")
    assert "take the new notebook" in ran.said("older notebook")
    for name in ("newer notebook", "older notebook"):
        assert "Ready: " in ran.said(name), "the lesson goes on all the same"
    assert "Update the package" in ran.said("newer lesson")
    assert ran.errors("newer lesson") == []


def test_after_a_restart_the_work_is_found_and_what_to_run_is_said(ran, platform):
    again = platform.run([FIRST, 'wb.check("split_heads")', 'wb.use("split_heads")'], "going-wrong")
    assert "Your own code that is here so far: split_heads" in again.said(0)
    assert "Run the cell that defines it" in again.said(1)
    assert "yours: split_heads" in again.said(2)
    assert again.errors() == []


@pytest.mark.parametrize("id", ["06-masks"])
def test_out_of_order_nothing_fails_but_names_that_come_later(here, id):
    notebook = reference_notebook(COURSE, COURSE.lesson(id))
    heading, start, *rest = notebook.cells
    random.Random(0).shuffle(rest)
    notebook.cells = [heading, start, *rest]
    done = here.run(notebook, f"shuffled-{id}")
    failed = [index for index in range(len(done.cells)) if done.errors(index)]
    assert failed, "some cell came before the one that it needs"
    for index in failed:
        (error,) = done.errors(index)
        assert error.startswith("NameError"), error
        assert "is defined so far" in done.said(index)
