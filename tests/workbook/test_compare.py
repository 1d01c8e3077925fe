"""Comparisons fail closed."""

import pytest
import torch

from transformer_workbook.diagnosis.case_results import assess
from transformer_workbook.diagnosis.compare import Expected, Rule, compare
from transformer_workbook.shared.evidence import Evidence, Failure

X = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
REFERENCE = Evidence({"x": X}, {"count": 3, "share": 0.5, "inputs_changed": []})


def found(student, rule=None, masks=None, reference=REFERENCE):
    """The keys of what is wrong with the evidence."""
    rules = {"x": rule} if rule else {}
    return [finding.kind for finding in compare(student, Expected(reference, rules, masks or {}))]


def with_x(x, **values) -> Evidence:
    return Evidence({"x": x}, {**REFERENCE.values, **values})


def test_the_references_own_evidence_passes():
    assert found(REFERENCE) == []


@pytest.mark.parametrize(
    ("student", "said"),
    [
        (Evidence({}, REFERENCE.values), "no_value"),
        (Evidence({}, {**REFERENCE.values, "x": None}), "not_a_tensor"),
        (with_x(X[:1]), "shape"),
        (with_x(X.unsqueeze(0)), "shape"),
        (with_x(X.double()), "dtype"),
        (with_x(X.half()), "dtype"),
        (with_x(X + 0.001), "differs"),
        (with_x(X * float("nan")), "not_finite"),
        (with_x(torch.where(X > 5, float("inf"), X)), "not_finite"),
        (with_x(X, count=4), "value"),
        (with_x(X, count=3.0), "value"),
        (with_x(X, count="3"), "type"),
        (with_x(X, count=True), "value"),
        (with_x(X, share=float("nan")), "number"),
        (with_x(X, share=None), "type"),
        (with_x(X, inputs_changed=["mask"]), "inputs_changed"),
        (Evidence({"x": X}, {"count": 3, "share": 0.5}), "no_value"),
        (
            Evidence({"x": X, "share": torch.tensor(0.5)}, {"count": 3, "inputs_changed": []}),
            "tensor_for_value",
        ),
        (Evidence(failure=Failure("timeout")), "failure.timeout"),
    ],
)
def test_what_is_not_the_same_fails(student, said):
    assert found(student) == [said]


def test_rounding_passes():
    assert found(with_x(X * (1 + 1e-6), share=0.5 + 1e-7)) == []


def test_close_compares_only_where_its_mask_is_true_and_wants_all_finite():
    rule, masks = Rule(where="seen"), {"seen": torch.tensor([[True], [False]])}
    other_row = torch.cat([X[:1], X[1:] * 7])
    assert found(with_x(other_row), rule, masks) == []
    assert found(with_x(other_row.flip(0)), rule, masks) == ["differs"]
    nan_row = torch.cat([X[:1], X[1:] * float("nan")])
    assert found(with_x(nan_row), rule, masks) == ["not_finite"]


def test_zero_means_exactly_zero_where_its_mask_is_true():
    rule, masks = Rule("zero", where="hidden"), {"hidden": torch.tensor([False, False, True])}
    reference = Evidence({"x": torch.tensor([1.0, 2.0, 0.0])}, {})
    assert found(Evidence({"x": torch.tensor([5.0, 6.0, 0.0])}, {}), rule, masks, reference) == []
    tiny = Evidence({"x": torch.tensor([1.0, 2.0, 1e-9])}, {})
    assert found(tiny, rule, masks, reference) == ["not_zero"]


def test_finite_wants_shape_and_finite_numbers_alone():
    assert found(with_x(X * 9), Rule("finite")) == []
    assert found(with_x(X / 0), Rule("finite")) == ["not_finite"]
    assert found(with_x(X[0]), Rule("finite")) == ["shape"]


def test_same_and_differs_compare_two_of_the_students_own():
    reference = Evidence({"x": X, "y": X + 1}, {})

    def said(kind, student):
        rules = {"x": Rule(kind, other="y"), "y": Rule("ignored")}
        return [finding.kind for finding in compare(student, Expected(reference, rules))]

    alike, apart = Evidence({"x": X, "y": X}, {}), Evidence({"x": X, "y": X * 2}, {})
    assert (said("same", alike), said("same", apart)) == ([], ["not_same"])
    assert (said("differs", alike), said("differs", apart)) == (["not_differs"], [])
    assert said("differs", Evidence({"x": X}, {})) == ["not_differs"]


def test_between_wants_a_number():
    reference = Evidence({}, {"share": 0.5})
    rules = {"share": Rule("between", low=0.4, high=0.6)}

    def passes(value):
        return not compare(Evidence({}, {"share": value}), Expected(reference, rules))

    assert passes(0.45) and not passes(0.7)
    assert not passes(float("nan")) and not passes("0.5") and not passes(True)


@pytest.mark.parametrize("arguments", [("near",), ("zero",), ("same",), ("differs",)])
def test_a_rule_that_says_too_little_is_refused(arguments):
    with pytest.raises(ValueError, match="rule"):
        Rule(*arguments)


def test_a_reference_that_failed_judges_nobody():
    with pytest.raises(ValueError, match="reference failed"):
        compare(REFERENCE, Expected(Evidence(failure=Failure("exception"))))


def test_missing_evidence_fails():
    results = assess({"a": Expected(Evidence({"x": X}, {}))}, [], {})
    assert [finding.kind for finding in results["a"].findings] == ["failure.missing"]


@pytest.mark.parametrize("kind", ["a float", "an integer", "a list"])
def test_a_number_that_no_float_holds_is_another_one(kind):
    actual, expected = {
        "a float": (10**400, 1.5),
        "an integer": (10**5000, 1),
        "a list": ([10**5000], [1]),
    }[kind]
    assert compare(Evidence({}, {"y": actual}), Expected(Evidence({}, {"y": expected})))
