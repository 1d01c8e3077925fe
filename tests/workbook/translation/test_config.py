"""A setting says of itself what a learner needs, on lines that a notebook does not break."""

import dataclasses

import pytest

from transformer_workbook.translation.config import CONFIGS


@pytest.mark.parametrize("name", CONFIGS)
def test_a_setting_is_told_in_short_lines(name):
    said = str(CONFIGS[name]).splitlines()
    assert max(map(len, said)) <= 88
    assert f"{CONFIGS[name].epochs} epochs" in " ".join(said)


def test_a_setting_says_how_its_learning_rate_ends():
    line = dataclasses.replace(CONFIGS["gpu"], noam=False)
    assert "steps, then down to 0" in str(line)
    assert "steps, then down as in the paper" in str(dataclasses.replace(line, noam=True))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"epochs": 0}, "epochs is 0; expected a whole number, 1 or more"),
        ({"epochs": "two"}, "epochs is 'two'; expected a whole number, 1 or more"),
        ({"epochs": 2.5}, "epochs is 2.5; expected a whole number, 1 or more"),
        ({"d_model": 0}, "d_model is 0; expected a whole number, 1 or more"),
        ({"num_layers": True}, "num_layers is True; expected a whole number, 1 or more"),
        ({"num_heads": 3}, "d_model is 256; expected a multiple of num_heads, which is 3"),
        ({"peak": -0.1}, "peak is -0.1; expected a number above 0"),
        ({"peak": float("nan")}, "peak is nan; expected a number above 0"),
        ({"peak": float("inf")}, "peak is inf; expected a number above 0"),
        ({"warmup": -5}, "warmup is -5; expected a whole number, 0 or more"),
        ({"averaged": None}, "averaged is None; expected a whole number, 0 or more"),
        ({"dropout": 1.5}, "dropout is 1.5; expected a number, 0 or more and below 1"),
        ({"smoothing": "0.1"}, "smoothing is '0.1'; expected a number, 0 or more and below 1"),
        ({"length_penalty": -1}, "length_penalty is -1; expected a number, 0 or more"),
        ({"scored": 0}, "scored is 0; expected a whole number, 1 or more, or None"),
        ({"noam": "yes"}, "noam is 'yes'; expected True or False"),
        ({"tie_weights": 1}, "tie_weights is 1; expected True or False"),
    ],
)
def test_a_value_that_no_run_can_have_is_refused_with_what_is_expected(change, expected):
    with pytest.raises(ValueError) as refused:
        dataclasses.replace(CONFIGS["gpu"], **change)
    assert str(refused.value) == expected + "."


def test_values_at_the_edge_are_taken():
    edge = {
        "warmup": 0,
        "averaged": 0,
        "dropout": 0,
        "smoothing": 0,
        "length_penalty": 0,
        "peak": 1,
    }
    changed = dataclasses.replace(CONFIGS["gpu"], **edge, scored=None, pairs=1, num_heads=256)
    assert changed.pairs == changed.peak == 1
