"""A check never passes what no cell defines any more, and tells off nobody whose cells do."""

import inspect

import pytest
import torch
from right_answers import MERGE, SPLIT

import transformer
import transformer_workbook as wb
from transformer_workbook.own_code import cells, store

RENAMED = SPLIT.replace("split_heads", "splitheads")


class Cells:
    """Runs cells as IPython does: with a history, and ids where the frontend has them."""

    def __init__(self, notebook, has_ids):
        self.notebook, self.has_ids = notebook, has_ids
        self.history = notebook.names["In"] = [""]

    def run(self, source, cell, fails=False):
        place = len(self.history)
        self.history.append(source)
        if self.has_ids:
            cells._ids[place] = cell
        try:
            self.notebook.run(source)
        except Exception:
            assert fails
            cells._failed.add(place)
        else:
            assert not fails


@pytest.fixture
def ran(notebook, request, monkeypatch):
    monkeypatch.setattr(cells, "_ids", {})
    monkeypatch.setattr(cells, "_failed", set())
    return Cells(notebook, getattr(request, "param", True))


both = pytest.mark.parametrize("ran", [True, False], indirect=True, ids=["ids", "no ids"])


def is_saved(tmp_path):
    return (tmp_path / "my_transformer/split_heads.py").exists()


def test_what_a_cell_defined_before_its_name_was_changed_does_not_pass(ran, tmp_path):
    ran.run(SPLIT.replace("(1, 2)", "(1, 3)"), "a")
    ran.run(SPLIT, "a")
    ran.run(SPLIT, "a")
    ran.run(RENAMED, "a")
    outcome = wb.check("split_heads")
    assert not outcome and not is_saved(tmp_path)
    assert "Your cell now defines splitheads, and the check looks for split_heads" in repr(outcome)
    ran.run(SPLIT.replace("split_heads", "split_head"), "a")
    assert "Your cell now defines split_head, and" in repr(wb.check("split_heads"))
    assert not wb.check(ran.notebook.names["split_heads"])
    ran.run(SPLIT, "a")
    assert wb.check("split_heads") and is_saved(tmp_path)


def test_a_cell_that_defines_something_else_now_is_told(ran, tmp_path):
    ran.run(SPLIT, "a")
    ran.run("y = 1\n", "a")
    said = repr(wb.check("split_heads"))
    assert "The cell that defined split_heads has run again since, and defines it no more" in said
    assert not is_saved(tmp_path)


@both
@pytest.mark.parametrize(
    "later",
    [
        [(SPLIT, "b")],
        [(RENAMED, "b"), (SPLIT, "b")],
        [(RENAMED, "a"), (SPLIT, "b")],
        [("y = 1\n", "a"), (SPLIT, "b")],
        [(MERGE, "b"), ("split_heads(torch.zeros(1, 2, 4), 2)", "c")],
        [(SPLIT.replace("split_heads", "split_heads_2"), "b")],
        [("def helper(x):\n    return x\n", "b"), (MERGE, "c"), (SPLIT, "a")],
        [("del split_heads", "b"), (SPLIT, "a")],
        [("mine = split_heads", "b"), ("split_heads = mine", "b")],
        [(SPLIT + "\ndef helper(x):\n    return x\n", "a"), (SPLIT, "b"), ("y = 1\n", "c")],
        [("if True:" + SPLIT.replace("\n", "\n    "), "a")],
    ],
    ids=[
        "again in another cell", "misspelt first", "renamed, and defined below", "moved",
        "other cells", "a copy to try things", "helpers", "deleted and back", "assigned",
        "copied", "nested",
    ],
)  # fmt: skip
def test_nobody_is_told_off_whose_cells_define_it(ran, later):
    ran.run(SPLIT, "a")
    for source, cell in later:
        ran.run(source, cell)
    assert wb.check("split_heads"), repr(wb.check("split_heads"))


def test_a_cell_that_is_split_is_asked_for_its_second_part(ran):
    helper = "def helper(x):\n    return x\n"
    ran.run(helper + SPLIT, "a")
    ran.run(helper, "a")
    assert "Run the cell that defines split_heads now" in repr(wb.check("split_heads"))
    ran.run(SPLIT, "b")
    assert wb.check("split_heads")
    ran.run(helper, "a")
    assert wb.check("split_heads")


@both
def test_a_name_that_was_deleted_is_not_there(ran):
    ran.run(SPLIT, "a")
    ran.run("del split_heads", "b")
    assert "Run the cell that defines it" in repr(wb.check("split_heads"))


@both
def test_a_cell_that_failed_half_way_is_told(ran, tmp_path):
    ran.run(SPLIT, "a")
    ran.run("missing\n" + SPLIT, "a", fails=True)
    assert "did not run to its end" in repr(wb.check("split_heads"))
    ran.run("def split_heads(x:", "a", fails=True)
    assert "did not run to its end" in repr(wb.check("split_heads"))
    assert not is_saved(tmp_path)


@both
def test_an_assignment_that_failed_is_told(ran):
    ran.run(SPLIT.replace("split_heads", "mine"), "a")
    ran.run("split_heads = mine", "b")
    assert wb.check("split_heads")
    ran.run("split_heads = missing", "b", fails=True)
    assert "did not run to its end" in repr(wb.check("split_heads"))


def test_a_function_under_another_name_is_saved_with_its_cell(ran):
    ran.run(SPLIT.replace("split_heads", "mine"), "a")
    ran.run("split_heads = mine", "b")
    assert wb.check("split_heads")
    source, _uses = store.own_source("split_heads", ran.notebook.names)
    assert "def mine" in source and source.endswith("split_heads = mine")


def test_what_wb_use_gave_is_said_and_its_file_stays_as_it_is(ran, tmp_path):
    ran.run(SPLIT, "a")
    assert wb.check("split_heads")
    file = tmp_path / "my_transformer/split_heads.py"
    before = file.read_text()
    ran.run("split_heads = wb.use('split_heads', quiet=True)", "b")
    outcome = wb.check("split_heads")
    assert outcome and "This check tried your saved split_heads" in repr(outcome)
    assert file.read_text() == before


def test_a_stand_in_does_not_pass_as_ones_own(ran, tmp_path):
    ran.run("split_heads = wb.use('split_heads', quiet=True)", "a")
    outcome = wb.check("split_heads")
    assert not outcome and "is the stand-in from the course's package" in repr(outcome)
    assert not is_saved(tmp_path)


def test_an_earlier_object_is_not_saved_as_what_the_cell_defines_now(ran, tmp_path):
    ran.run(SPLIT, "a")
    ran.run("first = split_heads", "b")
    ran.run(SPLIT.replace("(1, 2)", "(1, 3)"), "a")
    assert not wb.check(ran.notebook.names["first"])
    assert not is_saved(tmp_path)
    ran.run(SPLIT, "a")
    outcome = wb.check(ran.notebook.names["first"])
    assert not outcome and not is_saved(tmp_path)
    assert "is not the one that split_heads names now" in repr(outcome)
    assert wb.check(ran.notebook.names["split_heads"])


@pytest.mark.parametrize("history", [None, "", [None, 3, "split_heads ="], ["", "(" * 10_000]])
def test_a_history_of_any_form_is_read(ran, history):
    ran.run(SPLIT, "a")
    ran.notebook.names["In"] = history
    assert wb.check("split_heads")


WRAPPING = """
import functools

def timed(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper
"""


@both
@pytest.mark.parametrize("line", ["@timed", "@bare"])
def test_a_function_below_a_decorator_is_found_in_its_own_cell(ran, tmp_path, line):
    bare = "def bare(function):\n    def wrapper(*args):\n        return function(*args)\n"
    ran.run(WRAPPING + bare + "    return wrapper\n", "a")
    ran.run(SPLIT.replace("def ", f"{line}\ndef "), "b")
    assert wb.check("split_heads"), repr(wb.check("split_heads"))
    assert f"{line}\ndef split_heads" in (tmp_path / "my_transformer/split_heads.py").read_text()
    ran.run(f"{line}\nmissing\n" + SPLIT, "b", fails=True)
    assert "did not run to its end" in repr(wb.check("split_heads"))


@both
@pytest.mark.parametrize("line", ["@torch.no_grad()", "@torch.inference_mode()"])
def test_a_function_without_gradients_is_found_in_its_own_cell(ran, tmp_path, line):
    ran.run("padding_mask, target_mask = wb.use('padding_mask', 'target_mask', quiet=True)", "a")
    ran.run(f"{line}\n{inspect.getsource(transformer.greedy_decode)}", "b")
    assert wb.check("greedy_decode"), repr(wb.check("greedy_decode"))
    assert f"{line}\ndef greedy" in (tmp_path / "my_transformer/greedy_decode.py").read_text()


def test_a_cell_that_only_differs_is_not_said_to_have_failed(ran):
    ran.run(SPLIT, "a")
    ran.run("if False:" + SPLIT.replace("\n", "\n    "), "b")
    assert wb.check("split_heads")


def loaded(name):
    """A saved component, in a kernel that has no cells."""
    store._loaded.clear()
    component = wb.use(name, quiet=True)
    assert store.is_saved_version(component)
    return component


@pytest.mark.parametrize(
    ("before", "line"),
    [
        (["from typing import Optional, Tuple"], "y: Optional[Tuple[int, int]] = None"),
        (["from math import inf\nfrom numpy import sqrt"], "y = min(inf, sqrt(4.0))"),
        (["EPS: float = 1e-6"], "y = EPS"),
        (["A, B = 1, 2"], "y = A + B"),
        (["EPS = 1e-6", "LIMIT = EPS * 10"], "y = EPS + LIMIT"),
        (["EPS = 1e-6", "LIMIT = EPS * 10"], "y = LIMIT + EPS"),
        (["@torch.no_grad()\ndef helper(x):\n    return x"], "y = helper(x)"),
        (["from dataclasses import dataclass", "@dataclass\nclass Config:\n    size: int = 2",
          "config = Config()"], "y = config.size"),
        (["def max(x):\n    return x"], "y = max(x)"),
        (["cut = wb.use('merge_heads', quiet=True)"], "y = cut(x[:, None])"),
        (["try:\n    from math import no\nexcept ImportError:\n    no = 0"], "y = no"),
    ],
    ids=["typing", "values", "annotated", "several", "in order", "in order, other use",
         "decorated", "dataclass", "like a built-in", "used", "try"],
)  # fmt: skip
def test_all_that_a_component_needs_is_saved_with_it(ran, before, line):
    for place, cell in enumerate(before):
        ran.run(cell, str(place))
    ran.run(SPLIT.replace("):", f"):\n    {line}"), "z")
    assert "Saved as your own code" in repr(wb.check("split_heads"))
    ran.notebook.names.clear()
    assert loaded("split_heads")(torch.zeros(1, 2, 4), 2).shape == (1, 2, 2, 2)


def test_a_name_in_a_signature_is_saved(ran):
    ran.run("from typing import Optional", "a")
    ran.run(SPLIT.replace("x, num_heads", "x: Optional[torch.Tensor], num_heads"), "b")
    assert "Saved as your own code" in repr(wb.check("split_heads"))
    ran.notebook.names.clear()
    loaded("split_heads")


@pytest.mark.parametrize(
    ("before", "name"),
    [("for step in range(3):\n    pass", "step"), ("globals()['step'] = 1", "step")],
)
def test_what_cannot_be_saved_is_named_and_nothing_is_said_to_be_saved(ran, tmp_path, before, name):
    ran.run(before, "a")
    ran.run(SPLIT.replace("):", f"):\n    y = {name}"), "b")
    outcome = wb.check("split_heads")
    assert outcome and f"without this notebook, {name} is missing" in " ".join(
        repr(outcome).split()
    )
    assert "Saved as your own code" not in repr(outcome) and not is_saved(tmp_path)


def test_what_is_not_found_is_not_said_to_be_saved(ran, tmp_path):
    ran.run(f"exec({SPLIT!r})", "a")
    outcome = wb.check("split_heads")
    assert outcome and "was not saved for later lessons" in " ".join(repr(outcome).split())
    assert not is_saved(tmp_path)


def test_what_later_lessons_could_not_load_is_not_said_to_be_saved(ran, tmp_path):
    ran.run("sizes = {}", "a")
    ran.run("sizes['heads'] = 2", "b")
    ran.run("heads = sizes['heads']", "c")
    ran.run(SPLIT.replace("):", "):\n    y = heads"), "d")
    outcome = wb.check("split_heads")
    assert outcome and "it raises KeyError: 'heads'" in " ".join(repr(outcome).split())
    assert not is_saved(tmp_path)


def test_the_trial_of_what_is_saved_neither_prints_nor_draws_random_numbers(ran, capsys):
    ran.run("print('noise')\nnoise = print('noise') or torch.rand(2)", "a")
    ran.run(SPLIT.replace("):", "):\n    y = noise"), "b")
    torch.manual_seed(3)
    expected = torch.rand(2)
    capsys.readouterr()
    source, uses = store.own_source("split_heads", ran.notebook.names)
    torch.manual_seed(3)
    assert not store.problem_without(ran.notebook.names, "split_heads", source, uses)
    assert torch.equal(torch.rand(2), expected) and not capsys.readouterr().out
