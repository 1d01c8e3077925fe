"""Misconceptions are named from behaviour; a name is earned."""

import pytest
import torch

from transformer_workbook.diagnosis import evidence_sketches as sketches
from transformer_workbook.diagnosis.case_results import (
    RecordedMisconception,
    assess,
    misconceptions_in,
    recorded_misconception,
)
from transformer_workbook.diagnosis.compare import Expected
from transformer_workbook.diagnosis.evidence_sketches import LazySketch, Sketch, is_like, sums_of
from transformer_workbook.diagnosis.statement_hashes import hashes_in
from transformer_workbook.shared.evidence import Evidence, Failure

X = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

# Misconceptions: two cases, a and b; "doubled" fails both, "shifted" only b.

EXPECTED = {"a": Expected(Evidence({"x": X}, {})), "b": Expected(Evidence({"x": X + 1}, {}))}


def evidence(a, b):
    return {"a": Evidence({"x": a}, {}), "b": Evidence({"x": b}, {})}


def crash(message):
    return {case: Evidence(failure=Failure("exception", "TypeError", message)) for case in "ab"}


DOUBLED = recorded_misconception(EXPECTED, "doubled", evidence(X * 2, X * 2 + 2))
SHIFTED = recorded_misconception(EXPECTED, "shifted", evidence(X, X + 3))
CRASHED = recorded_misconception(EXPECTED, "crashed", crash("no"))


def named(student):
    results = assess(EXPECTED, [DOUBLED, SHIFTED, CRASHED], student)
    return {case: result.misconception for case, result in results.items() if result.findings}


def test_evidence_that_is_right_is_named_nothing():
    assert named(evidence(X, X + 1)) == {}


def test_a_misconception_is_named_from_its_evidence():
    assert named(evidence(X * 2, X * 2 + 2)) == {"a": "doubled", "b": "doubled"}
    assert named(evidence(X, X + 3)) == {"b": "shifted"}


def test_two_misconceptions_that_were_recorded_together_are_both_named():
    both = recorded_misconception(EXPECTED, "doubled+shifted", evidence(X * 2, X * 2 + 6))
    results = assess(EXPECTED, [DOUBLED, SHIFTED, both], evidence(X * 2, X * 2 + 6))
    assert misconceptions_in(results) == ["doubled", "shifted"]


def test_a_crash_is_named_by_its_type_and_message():
    assert set(named(crash("no")).values()) == {"crashed"}
    assert set(named(crash("yes")).values()) == {""}


def test_an_exception_that_the_student_raises_may_have_any_words():
    def raised(message: str, line: str) -> tuple[str, str, str]:
        return Failure("exception", "ValueError", message, line).signature

    own = "    raise ValueError(f'{length} is too long')"
    assert raised("30x4 is too long", own) == raised("longer than max_len", "raise ValueError")
    assert raised("30x4 is too long", "x.view(3)") != raised("30x5 is too long", "x.view(3)")


def test_a_misconception_that_was_recorded_in_double_precision_is_named():
    expected = {"a": Expected(Evidence({"x": X}, {}))}
    in_double = recorded_misconception(
        expected, "doubled", {"a": Evidence({"x": X.double() * 2}, {})}
    )
    results = assess(expected, [in_double], evidence(X * 2, X))
    assert results["a"].misconception == "doubled"


def test_what_behaves_otherwise_is_not_named():
    assert named(evidence(X * 3, X * 3)) == {"a": "", "b": ""}


def test_a_misconception_that_fails_what_the_student_passes_is_not_named():
    assert named(evidence(X, X * 2 + 2)) == {"b": ""}


def test_what_is_alike_in_some_of_the_failing_cases_is_not_named():
    assert named(evidence(X * 2, X * 7)) == {"a": "", "b": ""}
    assert named(crash("no") | {"b": Evidence({"x": X}, {})}) == {"a": "", "b": ""}


def test_what_is_alike_in_nearly_all_failing_cases_is_named():
    four = {case: Expected(Evidence({"x": X}, {})) for case in "abcd"}

    def named(*factors, name="doubled"):
        doubled = {case: Evidence({"x": X * 2}, {}) for case in "abcd"}
        student = {
            case: Evidence({"x": X * by}, {}) for case, by in zip("abcd", factors, strict=True)
        }
        results = assess(four, [recorded_misconception(four, name, doubled)], student).values()
        return {result.misconception for result in results}

    assert named(2, 2, 2, 5) == {"doubled"}
    assert named(2, 2, 5, 5) == {""}
    # Of two at once, one may show in a single case.
    assert named(2, 2, 2, 2, name="doubled+shifted") == {"doubled+shifted"}
    assert named(2, 2, 2, 5, name="doubled+shifted") == {""}


def test_a_misconception_that_passes_what_the_student_fails_is_not_named():
    assert named(evidence(X * 3, X + 3)) == {"a": "", "b": ""}


# Two mistakes at once: four cases, and mistakes that fail the first two, the last two, or three.

FOUR = {case: Expected(Evidence({"x": X}, {})) for case in "abcd"}
FIRST, LAST, THREE = (
    recorded_misconception(FOUR, name, {case: Evidence({"x": x}, {}) for case, x in wrong.items()})
    for name, wrong in [
        ("first", {"a": X * 2, "b": X * 2, "c": X, "d": X}),
        ("last", {"a": X, "b": X, "c": X * 3, "d": X * 3}),
        ("three", {"a": X * 5, "b": X * 5, "c": X * 5, "d": X}),
    ]
)
RAISED = Evidence(failure=Failure("exception", "TypeError", "other"))


@pytest.mark.parametrize(
    ("a", "b", "c", "d", "names"),
    [
        (2, 2, 3, 3, ["first", "first", "last", "last"]),
        (2, 2, 3, 9, ["", "", "", ""]),  # only one of the last two
        (5, 5, 5, 9, ["three", "three", "three", ""]),  # nearly all
        (2, 2, 9, 9, ["", "", "", ""]),
        (2, 2, None, None, ["first", "first", "", ""]),  # all that does not raise
        (2, 9, None, None, ["", "", "", ""]),
    ],
)
def test_two_mistakes_are_named_or_one_beside_what_else_is_wrong(a, b, c, d, names):
    student = {
        case: RAISED if by is None else Evidence({"x": X * by}, {})
        for case, by in zip("abcd", (a, b, c, d), strict=True)
    }
    results = assess(FOUR, [FIRST, LAST, THREE], student)
    assert [results[case].misconception for case in "abcd"] == names


def test_of_mistakes_that_explain_as_much_neither_is_named():
    student = {case: Evidence({"x": X * (2 if case in "ab" else 3)}, {}) for case in "abcd"}
    like_last = RecordedMisconception("as the last", LAST.evidence)
    results = assess(FOUR, [FIRST, LAST, like_last], student)
    assert [results[case].misconception for case in "abcd"] == ["first", "first", "", ""]


# Marks.


def test_marks_tell_a_statement_however_it_is_laid_out():
    written = hashes_in("def f(x):\n    y = x.mean( -1 )   # the mean\n    return (y)")
    assert written == hashes_in("y = x.mean(-1)") | hashes_in("def g():\n    return y")
    assert hashes_in("def f(:") == set()


# Sketches.


def alike(student: Evidence, sketch: Sketch) -> bool:
    return LazySketch(student, {}).is_like(sketch)


def test_a_sketch_tells_tensors_apart():
    sketch = Sketch.from_evidence(Evidence({"x": X}, {}), {})
    for other in (X + 0.01, X.flip(0), X.T.reshape(2, 3), X[:1], X * float("nan"), X > 2, X.long()):
        assert not alike(Evidence({"x": other}, {}), sketch)
    assert alike(Evidence({"x": X.double() + 1e-6}, {}), sketch)


def test_infinities_are_those_of_any_dtype():
    row = torch.tensor([1.0, float("-inf"), 2.0])
    lowest = row.double().clamp(min=torch.finfo(torch.float64).min)
    sketch = Sketch.from_evidence(Evidence({"x": lowest}, {}), {})
    assert alike(Evidence({"x": row.clamp(min=torch.finfo(torch.float32).min)}, {}), sketch)
    assert not alike(Evidence({"x": row.roll(1)}, {}), sketch)
    assert not alike(Evidence({"x": row.clamp(min=0.0)}, {}), sketch)


def test_integers_and_booleans_are_compared_exactly():
    for tensor in (torch.arange(6), torch.tensor(3), torch.eye(3).bool(), torch.empty(0).long()):
        sketch = Sketch.from_evidence(Evidence({"x": tensor}, {}), {})
        assert alike(Evidence({"x": tensor.clone()}, {}), sketch)
        assert Sketch.from_tree(sketch.to_tree()) == sketch
    three = Sketch.from_evidence(Evidence({"x": torch.tensor(3)}, {}), {})
    assert not alike(Evidence({"x": torch.tensor(4)}, {}), three)


def test_sketches_are_close_within_a_share_of_the_tolerance():
    one, other = (
        Sketch.from_evidence(Evidence({"x": X + by}, {"y": 1.0}), {}) for by in (0.0, 1e-5)
    )
    assert is_like(one, other, 1.0) and not is_like(one, other, 0.001)


def test_numbers_are_summed_once_and_only_where_names_and_shapes_agree(monkeypatch):
    summed = []
    counting = lambda tensor: summed.append(tensor.shape) or sums_of(tensor)  # noqa: E731
    known = [
        recorded_misconception(EXPECTED, f"known {n}", evidence(X * n, X * n + 2))
        for n in range(2, 40)
    ]
    monkeypatch.setattr(sketches, "sums_of", counting)
    huge = {"a": Evidence({"x": torch.ones(3000, 1000).half()}, {})}
    assess(EXPECTED, known, huge | {"b": huge["a"]})
    many = {f"x{n}": X for n in range(4000)}
    assess(EXPECTED, known, {"a": Evidence(many, {}), "b": Evidence({"x": X, **many}, {})})
    assert summed == []
    assess(EXPECTED, known, evidence(X * 39, X * 50))
    assert summed == [X.shape, X.shape]
