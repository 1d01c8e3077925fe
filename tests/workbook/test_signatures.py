"""What a wrong result has to do with the right one is told, where all of the cases show it."""

import pytest
import torch

from transformer_workbook.diagnosis.case_results import assess
from transformer_workbook.diagnosis.compare import Expected, Rule
from transformer_workbook.diagnosis.signatures import signature
from transformer_workbook.shared.evidence import Evidence

torch.manual_seed(0)
SQUARE, CUBE = torch.randn(4, 4), torch.randn(2, 3, 4)
MASK = torch.ones(5, 5, dtype=torch.bool).tril()


def told(actual, expected, inputs=None, rules=None, masks=None):
    """The signature of one case, whose result is a tensor or a number."""

    def evidence(value):
        is_tensor = isinstance(value, torch.Tensor)
        return Evidence({"y": value}, {}) if is_tensor else Evidence({}, {"y": value})

    results = assess(
        {"case": Expected(evidence(expected), rules or {}, masks or {})},
        [],
        {"case": evidence(actual)},
    )
    assert results["case"].findings
    return signature(results, {"case": inputs or {}})


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        (SQUARE.T, SQUARE, "axes 0 and 1 are swapped"),
        (CUBE.flip(1), CUBE, "reverse order along axis 1"),
        (CUBE.transpose(1, 2).reshape(2, 3, 4), CUBE, "all there, but in different places"),
        (2 * CUBE, CUBE, "2 times what is expected"),
        (-CUBE, CUBE, "-1 times what is expected"),
        (CUBE * torch.tensor([1.0, 2.0, 3.0])[:, None], CUBE, "factor of its own"),
        (torch.tensor(-0.5), torch.tensor(0.0), ""),
        (torch.zeros(2, 3, 4), CUBE, "0 everywhere"),
        (CUBE[:, :1].expand(2, 3, 4), CUBE, "All positions have the same result"),
        (CUBE * (1 + 1e-3), CUBE, "times what is expected"),
        (CUBE.bfloat16().float(), CUBE, ""),
        (~MASK, MASK, "True and False are swapped"),
        (torch.ones_like(MASK), MASK, "shows what it should hide"),
        (MASK.T, MASK, "axes 0 and 1 are swapped"),
        (MASK.tril(-2), MASK, "hides what it should show"),
        (CUBE[:, :2], CUBE, "The last entry along axis 1 is missing"),
        (CUBE, CUBE[:, :, :3], "one entry too many along axis 2, at its end"),
        (CUBE[:, 1:], CUBE, ""),
        (CUBE.transpose(0, 1), CUBE, "axes 0 and 1 are swapped"),
        (torch.tensor([3, 1, 4, 1, 5]), torch.tensor([9, 2, 6, 5, 3]), ""),
        ([0.25, 0.5, 1.0], [2.0, 4.0, 8.0], "0.125 times what is expected"),
        ([3, 1, 2, 5], [5, 2, 1, 3], "reverse order along axis 0"),
        ([3, 1], [3, 1, 2], ""),
        ([2**70, 1, 2], [3, 1, 2], ""),
        ([True, False], [False, True], ""),
        (["a", "b"], ["b", "a"], ""),
        (6.0, 2.0, ""),
        (torch.randn(2, 3, 4), CUBE, ""),
    ],
)
def test_it_is_told(actual, expected, says):
    sentence = told(actual, expected)
    assert says in sentence and bool(sentence) == bool(says)


def test_inputs_are_named():
    assert "is `x` itself" in told(CUBE.cos(), CUBE, {"x": CUBE.cos(), "y": CUBE})


def test_where_more_digits_are_asked_for_than_are_compared_nothing_is_told():
    digits = {"rules": {"y": Rule(atol=0.0, rtol=1e-7)}}
    assert told(CUBE * (1 + 2e-5), CUBE, **digits) == ""


def test_entries_that_may_be_anything_give_no_signature():
    where = {"rules": {"y": Rule(where="counts")}, "masks": {"counts": MASK[:4, :4]}}
    assert told(SQUARE * 2, SQUARE, **where) == ""


def test_it_is_told_if_all_cases_that_fail_in_the_same_way_show_it():
    expected = {case: Expected(Evidence({"y": CUBE}, {})) for case in "abcd"}

    def of(*results):
        student = {case: Evidence({"y": y}, {}) for case, y in zip("abcd", results, strict=True)}
        return signature(assess(expected, [], student), {})

    other = torch.randn(3, 2, 3, 4)
    assert "2 times" in of(2 * CUBE, 2 * CUBE, 2 * CUBE, CUBE)
    assert of(2 * CUBE, 2 * CUBE, 2 * CUBE, other[0]) == ""
    assert of(other[0], 2 * CUBE, 2 * CUBE, CUBE) == ""  # not what is shown first
