"""What learners are told."""

import pytest
import torch

from transformer_workbook.diagnosis.compare import Finding
from transformer_workbook.diagnosis.finding_sentences import describe_call, explain, open_blanks
from transformer_workbook.shared.evidence import Failure

BLANKS = {
    "scores": "scores = ____ / ____  # (T_q, T_k)",
    "scale": "scores = ____ / ____  # (T_q, T_k)",
    "weights": "weights = ____",
}


@pytest.mark.parametrize("name", ["unsqueeze", "sqrt"])
def test_a_function_for_numbers_is_told_where_math_has_one(name):
    message = f"'float' object has no attribute '{name}'"
    failure = {**vars(Failure("exception", "AttributeError", message)), "line": f"x.{name}()"}
    told = explain(Finding("", "failure.exception", failure), "attend")
    assert "plain Python value" in told and ("math.sqrt" in told) == (name == "sqrt")


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("    scores = ____ / ____  # (T_q, T_k)", ["scores", "scale"]),
        ("scores = query @ key.T / ____", ["scale"]),
        ("scores = ____ / math.sqrt(d_k)  # mine", ["scores"]),
        ("weights = ____", ["weights"]),
        ("weights = F.softmax(____, -1)", ["weights"]),
        ("scores = ____", ["scores", "scale"]),
        ("other = ____", []),
        ("", []),
    ],
)
def test_an_open_blank_is_named_from_its_line(line, names):
    assert open_blanks(line, BLANKS) == names


def test_a_blank_that_is_a_whole_line_takes_no_other_blanks_line():
    blanks = {"buffer": "____", "length": "length = ____"}
    assert open_blanks("    length = ____", blanks) == ["length"]
    assert open_blanks("____", blanks) == ["buffer"]
    assert open_blanks("self.register(____)", blanks) == ["buffer"]


def test_a_call_shows_few_whole_numbers_in_full_and_shapes_of_all_else():
    inputs = {
        "lengths": torch.tensor([3, 9]),
        "x": torch.ones(3),
        "word_1": torch.tensor([5]),
        "word_2": torch.tensor([6, 7]),
        "long": torch.arange(40),
        "seed": 1,
    }
    assert describe_call("f", inputs, ["lengths", "x", "words", "long"]) == (
        "f(lengths = [3, 9], x (3,), words = [[5], [6, 7]], long (40,))"
    )
    assert describe_call("f", inputs, ["mask"]) == "f(...)"
    assert describe_call("f", inputs, []) == "f()"
