"""A setting says of itself what a learner needs, on lines that a notebook does not break."""

import dataclasses

import pytest

from transformer_workbook.lessons.translation.config import CONFIGS


@pytest.mark.parametrize("name", CONFIGS)
def test_a_setting_is_told_in_short_lines(name):
    said = str(CONFIGS[name]).splitlines()
    assert max(map(len, said)) <= 88
    assert f"{CONFIGS[name].epochs} epochs" in " ".join(said)


def test_a_setting_says_how_its_learning_rate_ends():
    line = dataclasses.replace(CONFIGS["gpu"], noam=False)
    assert "steps, then down to 0" in str(line)
    assert "steps, then down as in the paper" in str(dataclasses.replace(line, noam=True))
