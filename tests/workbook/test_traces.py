"""The first wrong value on the way to a result tells where to look."""

import contextlib
import math
import sys

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.nn import functional as F

from transformer_workbook.checks.check import examine
from transformer_workbook.diagnosis.recorded_lessons import index
from transformer_workbook.shared.packing import BadData
from transformer_workbook.traces.describe_divergence import grids_of, sentences
from transformer_workbook.traces.divergence import (
    FirstDivergence,
    first_divergence,
    is_right,
    reference_traces,
    wrong_variables,
)
from transformer_workbook.traces.divergence import divergence_from_tree as read_divergence
from transformer_workbook.traces.reference_traces import read, recorded_traces, write
from transformer_workbook.traces.trace import Endless, traced, variables
from transformer_workbook.traces.values import (
    SMALL,
    Incomparable,
    are_alike,
    are_moved,
    from_tree,
    snapshot,
    to_tree,
)

FILE = "<watched>"


def watched(source, call):
    """The values of the variables of a source, as [(variable, value)], while `call` runs."""
    namespace = {"torch": torch, "nn": nn, "F": F, "math": math}
    exec(compile(source, FILE, "exec"), namespace)
    with traced(source, FILE) as bound:
        eval(call, namespace)
    return [(one.variable, one.value) for one in bound]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = 1\n    return a + 1", [("f a", 1), ("f return", 2)]),
        ("a, (b, *c) = 1, (2, 3)\n    return", [("f a", 1), ("f b", 2), ("f c", [3])]),
        ("a = 1\n    a += 1", [("f a", 1), ("f a", 2)]),
        ("for a in (1, 2):\n        b = -a", [("f a", 1), ("f b", -1), ("f a", 2), ("f b", -2)]),
        ("a = max(\n        1,\n        2,\n    )", [("f a", 2)]),
        ("a = [3]\n    a.append(4)", [("f a", [3]), ("f a[]", [3, 4])]),
        ("a = [1, 2]\n    a[0] = 5", [("f a", [1, 2]), ("f a[]", [5, 2])]),
        ("a = [b for b in (1, 2)]", [("f a", [1, 2])]),
        ("if True:\n        a = 1\n    else:\n        a = 2", [("f a", 1)]),
        ("def g(c):\n        d = c\n        return d\n    a = g(3)",
         [("f.g d", 3), ("f.g return", 3), ("f a", 3)]),
        ("try:\n        1 / 0\n    except ZeroDivisionError:\n        a = 1\n    b = 2",
         [("f a", 1), ("f b", 2)]),
        ("a = object()\n    b = 'text'\n    c = 1", [("f c", 1)]),
    ],
)  # fmt: skip
def test_the_values_of_variables_are_watched_in_their_order(body, expected):
    assert watched(f"def f():\n    {body}\n", "f()") == expected


def test_attributes_and_methods_are_watched():
    source = """
class Scale(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.factor = d * 2
        self.inner = nn.Linear(d, 1)

    def forward(self, x):
        return x * self.factor
"""
    found = watched(source, "Scale(2)(3)")
    assert found[0] == ("Scale.__init__ self.factor", 4)
    assert found[1][0] == "Scale.__init__ self.inner" and found[1][1].startswith("Linear(")
    assert found[2] == ("Scale.forward return", 12)
    names = {"Scale.__init__ self.factor", "Scale.__init__ self.inner"}
    assert variables(source) == names | {"Scale.__init__ return", "Scale.forward return"}


def test_a_tensor_is_kept_as_it_was():
    (_name, before), (_same, after) = watched(
        "def f():\n    a = torch.zeros(2)\n    a.add_(1)\n", "f()"
    )
    assert before.tolist() == [0, 0] and after.tolist() == [1, 1]


def test_values_up_to_an_exception_are_kept_and_endless_code_is_stopped():
    source = "def f(d):\n    a = 1\n    a = a / d\n"
    namespace = {}
    exec(compile(source, FILE, "exec"), namespace)
    with traced(source, FILE) as bound:
        with pytest.raises(ZeroDivisionError):
            namespace["f"](0)
        namespace["f"](2)  # which turn of `a` that is depends on where it crashed before
    assert [(one.name, one.value) for one in bound] == [("a", 1)]
    source = "def f():\n    while True:\n        a = 1\n"
    exec(compile(source, FILE, "exec"), namespace)
    with pytest.raises(Endless), traced(source, FILE):
        namespace["f"]()


LARGE = torch.arange(float(SMALL))


@pytest.mark.parametrize(
    ("actual", "expected", "alike"),
    [
        (1, 1.00001, True),
        (torch.ones(2), torch.ones(2).double(), True),
        (torch.ones(2), torch.ones(2, dtype=torch.long), True),
        (torch.ones(2), torch.ones(2, dtype=torch.bool), False),
        (torch.ones(2), torch.ones(1, 2), False),
        (torch.tensor([-1e9]), torch.tensor([-math.inf]), True),
        (math.nan, math.nan, True),
        (math.nan, 1.0, False),
        (torch.tensor(2.0), 2, True),
        (True, 1, False),
        ([1, 2], [1, 2], True),
        ([1, 2], [1, 2, 3], False),
        ([1, 2], torch.tensor([1, 2]), False),
        (nn.ReLU(), nn.ReLU(), True),
        (nn.ReLU(), nn.GELU(), False),
        (nn.ReLU(), 1, False),
        (LARGE, LARGE + 1e-7, True),
        (LARGE, LARGE.flip(0), False),
        (LARGE, LARGE[1:], False),
        (torch.tensor([10.02, 0.01]).half(), torch.tensor([10.0, 0.01]), True),  # a sum of several
        (torch.tensor([2.441, 0.01]).bfloat16(), torch.tensor([2.441, 0.01]), True),
        (torch.tensor([3.14, 0.2]).half(), torch.tensor([3.14, 0.01]), False),
    ],
)
def test_values_are_alike_up_to_rounding(actual, expected, alike):
    assert are_alike(snapshot(actual), snapshot(expected)) is alike
    assert are_alike(snapshot(expected), snapshot(actual)) is alike


@pytest.mark.parametrize(
    "value",
    [object(), None, [], list(range(99)), "text", 2**40],
    ids=["object", "None", "no items", "many items", "text", "address"],
)
def test_what_differs_between_runs_or_has_no_value_is_not_compared(value):
    with pytest.raises(Incomparable):
        snapshot(value)


VALUES = st.recursive(
    st.booleans()
    | st.integers(-(2**31) + 1, 2**31 - 1)
    | st.floats(width=32)
    | st.sampled_from([torch.eye(2), torch.ones(0, 3), torch.tensor([True]), LARGE, LARGE.long()]),
    lambda inner: st.lists(inner, min_size=1, max_size=4),
    max_leaves=9,
)


@given(VALUES)
def test_values_are_read_as_they_were_written(value):
    value = snapshot(value)
    again = from_tree(to_tree(value))
    assert are_alike(again, value)
    assert to_tree(again) == to_tree(value) or "nan" in str(to_tree(value))


@pytest.mark.parametrize(
    "tree",
    [
        None,
        {"f": [1.0], "shape": [2]},
        {"f": [1.0], "shape": [-1]},
        {"f": ["1"], "shape": [1]},
        {"f": [1.0] * 99, "shape": [99]},
        {"g": [1.0], "shape": [1]},
        {"f": [1.0], "shape": [1], "i": [1]},
        {"i": [10**30], "shape": [1]},
        {"f": [1.0], "shape": [1] * 99},
        {"sketch": [[1], "float", None]},
        {"sketch": [["1"], 1.0, 1.0, 1.0, 1.0]},
        {"sketch": []},
        list(range(99)),
        10**30,
        "x" * 999,
        [None],
    ],
)
def test_data_that_is_no_value_is_refused(tree):
    with pytest.raises(BadData):
        from_tree(tree)


ATTEND = """\
def attend(q, k):
    scores = q @ k.transpose(-2, -1)
    weights = scores.softmax(dim=-1)
    return weights
"""
BOTH = ["one", "other"]
INPUTS = (torch.tensor([[0.1, 0.2, 0.4], [0.3, -0.5, 0.2]]), torch.eye(3)[:2])


def traces_of(source, *inputs):
    """The trace of `attend` in each of two cases."""
    found = {}
    for case, (q, k) in {"one": INPUTS, "other": (INPUTS[0] / 7, INPUTS[1])}.items():
        namespace = {"torch": torch}
        exec(compile(source, FILE, "exec"), namespace)
        with traced(source, FILE) as found[case], contextlib.suppress(NameError):
            namespace["attend"](q, k)
    return found


def by_variable(trace):
    values = {}
    for one in trace:
        values.setdefault(one.variable, []).append(one.value)
    return values


def ways(*sources):
    all_traces = [traces_of(source) for source in sources]
    return {
        case: reference_traces(
            [by_variable(traces[case]) for traces in all_traces], variables(ATTEND)
        )
        for case in all_traces[0]
    }


def test_the_first_wrong_value_of_two_mistakes_is_found():
    source = ATTEND.replace("q @ k", "2 * q @ k").replace("dim=-1)", "dim=0)")
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert (found.variable, found.case, found.right) == ("attend scores", "one", "")
    assert found.line == "scores = 2 * q @ k.transpose(-2, -1)"
    told = sentences(found, {})
    assert told.startswith("In the line `scores = 2 * q @ k.transpose(-2, -1)`: `scores` at [0, 0]")
    assert "Every number is 2 times what is expected." in told
    assert [grid["caption"] for grid in grids_of(found)] == [
        "`scores`: yours (2, 2)", "`scores`: expected (2, 2)",
    ]  # fmt: skip


def test_the_lines_after_the_last_right_value_are_at_fault():
    source = ATTEND.replace("weights = scores", "turned = scores.T\n    weights = turned")
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert (found.variable, found.right) == ("attend weights", "attend scores")
    assert found.lines == ("turned = scores.T", "weights = turned.softmax(dim=-1)")
    told = sentences(found, {})  # and nothing is said of other values
    assert told.startswith("In the line `weights =") and "`scores`" not in told


def test_a_variable_of_the_students_own_is_named_where_it_is_returned():
    source = ATTEND.replace("weights", "mine").replace("dim=-1)", "dim=0)")
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert (found.own, found.line) == ("mine", "mine = scores.softmax(dim=0)")
    assert "`mine`" in sentences(found, {})


def test_where_a_line_returns_it_at_once_the_line_is_told():
    source = ATTEND.replace("return weights", "return weights * 2")
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert "`return weights * 2`" in sentences(found, {}) and not grids_of(found)


def test_a_result_is_not_told_alone():
    source = "def attend(q, k):\n    return q\n"
    assert first_divergence(traces_of(source), ways(ATTEND), BOTH, source) is None


def test_each_way_of_a_right_answer_is_right():
    other = ATTEND.replace("q @", "(q * 3) @").replace("scores.softmax", "(scores / 3).softmax")
    source = other.replace("dim=-1)", "dim=0)")
    with_both = first_divergence(traces_of(source), ways(ATTEND, other), BOTH, source)
    assert with_both.variable == "attend weights"
    assert (
        first_divergence(traces_of(source), ways(ATTEND), BOTH, source).variable == "attend scores"
    )


def test_a_variable_that_differs_in_a_case_that_passes_may_have_any_value():
    source = ATTEND.replace("q @", "(q * 3) @").replace("scores.softmax", "(scores / 3).softmax")
    assert first_divergence(traces_of(source), ways(ATTEND), ["one"], source) is None


def test_a_line_that_is_written_right_is_not_blamed():
    source = ATTEND.replace("    scores", "    k = k * 2\n    scores")
    line = "scores = q @ k.transpose(-2, -1)"
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source, [line])
    assert (found.line, found.suspects) == (line, ("k = k * 2",))
    told = sentences(found, {})
    assert told.endswith("That line is written right, so look at what runs before it: `k = k * 2`.")
    of_both = [line, "k = k * 2"]
    assert first_divergence(traces_of(source), ways(ATTEND), BOTH, source, of_both) is None


KEPT = """\
def attend(q, k):
    held = {"q": q}
    for _turn in range(2):
        scores = held["q"] @ k.transpose(-2, -1)
        weights = scores.softmax(dim=-1)
        held["q"] = q * 2
    return weights
"""


def test_what_a_turn_leaves_behind_is_at_fault_where_all_other_lines_are_right():
    source = KEPT.replace("q * 2", "q * 3")
    right = [line.strip() for line in KEPT.splitlines()]
    found = first_divergence(traces_of(source), ways(KEPT), BOTH, source, right)
    assert (found.name, found.turn, found.suspects) == ("scores", 1, ('held["q"] = q * 3',))


def test_a_line_that_is_written_right_and_runs_earlier_is_not_wrong():
    source = KEPT.replace('{"q": q}', '{"q": q * 2}').replace("dim=-1", "dim=0")
    line = 'scores = held["q"] @ k.transpose(-2, -1)'
    assert first_divergence(traces_of(source), ways(KEPT), BOTH, source).line == line
    found = first_divergence(traces_of(source), ways(KEPT), BOTH, source, [line])
    assert found.name == "weights"


def test_a_variable_of_the_students_own_that_a_wrong_value_is_made_of_may_be_at_fault():
    source = ATTEND.replace(
        "    scores = q @", "    twice = k * 2\n    both = q\n    scores = both @"
    ).replace("k.transpose", "twice.transpose")
    first = ATTEND.replace("    scores", "    length = len(q)\n    scores")
    source = source.replace("    scores", "    length = len(q)\n    scores")
    watched = {case: {**of_case, "attend length": [[2]]} for case, of_case in ways(first).items()}
    found = first_divergence(traces_of(source), watched, BOTH, source)
    assert found.right == "attend length"
    assert found.lines == (
        "twice = k * 2", "both = q", "scores = both @ twice.transpose(-2, -1)",
    )  # fmt: skip


TURNED = ATTEND.replace("q @ k.transpose(-2, -1)", "k @ q.transpose(-2, -1)")


def test_the_right_numbers_with_other_axes_are_told_where_nothing_else_is_wrong():
    source = TURNED.replace("softmax(dim=-1)", "softmax(dim=-2)")  # and not turned back
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert found.is_moved and found.variable == "attend scores"
    source = TURNED.replace("softmax(dim=-1)", "softmax(dim=-2).square()")
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert not found.is_moved and found.variable == "attend weights"


def test_a_tensor_that_is_filled_part_by_part_is_no_value_yet():
    source = """\
def attend(q, k):
    scores = torch.zeros(len(q), len(k))
    for row in range(len(q)):
        scores[row] = k @ q[row]
    weights = scores.softmax(dim=0)
    return weights
"""
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert found.line == "weights = scores.softmax(dim=0)"


def test_a_value_from_which_a_right_one_is_calculated_is_a_way_of_its_own():
    source = ATTEND.replace("q @", "(q * 3) @").replace("scores.softmax", "(scores / 3).softmax")
    source = source.replace("return weights", "return weights * 2")
    found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
    assert found.line == "return weights * 2"


def test_a_value_in_more_steps_than_those_of_right_answers_is_not_compared_turn_by_turn():
    twice = ATTEND.replace("q @", "2 * q @")
    in_steps = twice.replace("    weights", "    scores = scores / 2\n    weights", 1)
    for source in (in_steps, in_steps.replace("/ 2", "/ two")):
        source = source.replace("softmax(dim=-1)", "softmax(dim=0)")
        found = first_divergence(traces_of(source), ways(ATTEND), BOTH, source)
        assert found is None or found.variable == "attend weights"
    # Where results are random, none is recorded of two calls: they are not two steps.
    (scores,) = by_variable(traces_of(ATTEND)["one"])["attend scores"]
    random = {"one": {"attend scores": [[scores, scores]]}}
    source = ATTEND.replace("    weights", "    scores = scores * 3\n    weights", 1)
    traces = {"one": traces_of(source)["one"]}
    assert first_divergence(traces, random, ["one"], source).line == "scores = scores * 3"
    both = {"other": ways(ATTEND)["other"]} | random
    assert first_divergence(traces, both, ["one"], source) is None
    branches = """\
def attend(q, k):
    if len(q) > 99:
        scores = q @ k.transpose(-2, -1)
    else:
        scores = 2 * q @ k.transpose(-2, -1)
    weights = scores.softmax(dim=-1)
    return weights
"""
    found = first_divergence(traces_of(branches), ways(ATTEND), BOTH, branches)
    assert found.line == "scores = 2 * q @ k.transpose(-2, -1)", "each way has one step"


@pytest.mark.parametrize(
    ("actual", "expected", "moved"),
    [
        (torch.arange(6).reshape(2, 3), torch.arange(6).reshape(2, 3).T, True),
        (torch.arange(6).reshape(2, 3), torch.arange(6).reshape(3, 2), True),
        (torch.arange(6).reshape(2, 3), torch.arange(6).reshape(2, 3).flip(0), False),
        (torch.arange(6), [torch.arange(6)], True),
        ([torch.ones(2), torch.zeros(2)], torch.tensor([[1.0, 1.0], [0.0, 0.0]]), True),
        ([torch.ones(2), torch.zeros(3)], torch.ones(2), False),
        (torch.tensor([True]), torch.tensor([1]), False),
        (torch.tensor([[2]]), 2, True),
        (nn.ReLU(), 2, False),
        (LARGE.reshape(8, 8, 1), LARGE.reshape(8, 8), True),
        (LARGE.reshape(8, 8), LARGE.reshape(8, 8).T, False),
    ],
)
def test_numbers_with_other_axes(actual, expected, moved):
    assert are_moved(snapshot(actual), snapshot(expected)) is moved


def test_a_change_is_right_if_the_value_and_all_before_it_are():
    source = ATTEND.replace("q @ k", "2 * q @ k").replace("dim=-1)", "dim=0)")
    expected = ways(ATTEND)
    found = first_divergence(traces_of(source), expected, BOTH, source)
    mended = traces_of(source.replace("2 * ", ""))
    assert is_right(found, mended["one"], expected["one"])
    assert is_right(found, mended["one"], {})  # nothing is known of this case
    assert not is_right(found, traces_of(source)["one"], expected["one"])
    assert wrong_variables(mended, expected) == {"attend weights", "attend return"}


def test_ways_are_read_as_they_were_written():
    expected = ways(ATTEND)["one"]
    again = read(write(expected))
    assert again.keys() == expected.keys()
    assert all(are_alike(again[name][0], expected[name][0]) for name in expected)


WRONG = FirstDivergence(
    "one", "attend weights", 0, "return weights", 1.0, 2.0, "attend scores", "",
    ("return weights",), suspects=("return weights",),
)  # fmt: skip


def test_a_value_that_came_from_beside_untrusted_code_is_read_if_it_can_be_true():
    expected = ways(ATTEND)
    found = read_divergence(WRONG.to_tree(), expected, ATTEND)
    assert (found.actual, found.line) == (1.0, "return weights")
    assert are_alike(found.expected, expected["one"]["attend weights"][0][0])


@pytest.mark.parametrize(
    ("index", "forged"),
    [
        (0, "no case"),
        (0, 1),
        (1, "attend nothing"),
        (2, 5),
        (2, -1),
        (3, "no line of it"),
        (3, " "),
        (4, "attend nothing"),
        (5, "no_name_of_it"),
        (6, ["no line of it"]),
        (6, [1]),
        (6, None),
        (7, ["no line of it"]),
        (7, []),
        (8, "1"),
        (9, "yes"),
        (10, None),
        (10, {"f": [1.0], "shape": [7]}),
        (10, "the expected one"),
    ],
)
def test_a_value_that_cannot_be_true_is_not_told(index, forged):
    expected = ways(ATTEND)
    tree = WRONG.to_tree()
    tree[index] = forged
    if forged == "the expected one":
        tree[index] = to_tree(expected["one"]["attend weights"][0][0])
    assert read_divergence(tree, expected, ATTEND) is None
    assert read_divergence(tree[:-1], expected, ATTEND) is None
    assert read_divergence(None, expected, ATTEND) is None


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        (0.5, 0.25, "`x` is 0.5; expected 0.25."),
        (2, 3.0, "`x` is 2; expected 3."),
        (torch.ones(2, 3), torch.ones(3, 2), "`x` has the shape (2, 3); expected (3, 2)."),
        ([1.0, 2.0], [1.0, 3.0], "`x[1]` is 2; expected 3."),
        ((torch.ones(2),), torch.ones(2), "`x` is a list of 1; expected a tensor of shape (2,)."),
        ([1.0], [1.0, 3.0], "`x` is a list of 1; expected a list of 2."),
        (LARGE, LARGE.reshape(2, -1), "`x` is a tensor of shape (64,); expected a tensor of shape"),
        (LARGE, LARGE.flip(0), "`x` has other numbers than expected."),
        (-2 * LARGE, LARGE, "Every number of `x` is -2 times what is expected."),
        (torch.tensor(2.0), 3, "`x` is 2; expected 3."),
        (2, torch.tensor(3), "`x` is 2; expected 3"),
        (torch.tensor([True]), torch.tensor([1.0]), "`x` is of dtype bool; expected float32."),
        (torch.ones(2), 1.0, "`x` is a tensor; expected a plain float."),
        (nn.Dropout(0.5), nn.Dropout(0.1), "`x` is Dropout(p=0.5, inplace=False); expected"),
        (torch.ones(2), nn.ReLU(), "`x` is a tensor of shape (2,); expected ReLU()."),
        (math.inf, 1.0, "`x` is inf; expected 1."),
    ],
)
def test_what_is_wrong_with_a_value_is_told(actual, expected, says):
    wrong = FirstDivergence("case", "f x", 0, "x = y", snapshot(actual), snapshot(expected))
    assert sentences(wrong, {}).startswith(f"In the line `x = y`: {says}")


def test_the_turn_of_a_loop_is_told_and_nothing_of_what_ran_in_the_turn_before():
    source = """\
def attend(q, k):
    for _turn in range(2):
        weights = (q @ k.transpose(-2, -1)).softmax(dim=-1)
        scores = weights * 2
        q = q * 2
    return weights
"""
    right = source.replace("q * 2", "q")
    found = first_divergence(traces_of(source), ways(right), BOTH, source)
    line = "weights = (q @ k.transpose(-2, -1)).softmax(dim=-1)"
    assert (found.variable, found.turn) == ("attend weights", 1)
    assert found.lines == ("q = q * 2", line)  # and not `scores = weights * 2`
    told = sentences(found, {})
    assert f"`{line}`, on its run number 2" in told


TWICE_WRONG = """\
class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True) + x.mean() * 0.01
        variance = x.var(dim=-1, keepdim=True, correction=0).cumsum(0)
        normed = (x - mean) / torch.sqrt(variance + self.eps)
        output = self.gamma * normed + self.beta
        return output
"""


@pytest.fixture
def notebook(monkeypatch):
    """The globals of a notebook in which LayerNorm has two mistakes that no list has."""
    namespace = {"torch": torch, "nn": nn, "F": F, "__name__": "__main__"}
    exec(TWICE_WRONG, namespace)
    for module in ("checks.check", "own_code.store"):
        monkeypatch.setattr(
            f"transformer_workbook.{module}.notebook_namespace", lambda: namespace, raising=False
        )
    monkeypatch.setattr(
        "transformer_workbook.checks.check.own_text", lambda name, namespace: TWICE_WRONG
    )
    return namespace


@pytest.mark.skipif(sys.platform != "linux", reason="code is watched on Linux alone")
def test_the_check_tells_the_first_wrong_value(notebook):
    report = examine("LayerNorm")
    told = repr(report)
    assert "Why: In the line `mean = x.mean(dim=-1, keepdim=True)" in told
    assert "<b>Why:</b> In the line <code>mean = x.mean" in report._repr_html_()
    assert "`mean`: yours" in told and "`mean`: expected" in told


def test_components_have_values_to_compare_with():
    without = {
        name
        for lesson, entry in index()["lessons"].items()
        for name in (*entry["components"], *entry["bug_hunts"])
        if not any(recorded_traces(lesson, name).values())
    }
    assert without == {"make_model"}  # it makes a model of random numbers
