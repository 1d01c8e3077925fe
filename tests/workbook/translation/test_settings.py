"""A setting says of itself what a learner needs, on lines that a notebook does not break."""

import pytest

from transformer_workbook.translation.settings import SETTINGS


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_is_told_in_short_lines(name):
    said = str(SETTINGS[name]).splitlines()
    assert max(map(len, said)) <= 88
    assert f"{SETTINGS[name].epochs} epochs" in " ".join(said)
