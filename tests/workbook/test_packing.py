"""What is packed comes back; any other bytes are refused, without running anything."""

import contextlib
import pickle

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.packing import DTYPES, BadData, pack, unpack

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


def same(a, b) -> bool:
    """Equal, with nan equal to itself."""
    if isinstance(a, float):
        return isinstance(b, float) and (a == b or (a != a and b != b))
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


@given(PLAIN.filter(lambda tree: "$" not in repr(tree)))
def test_plain_trees_come_back(tree):
    assert same(unpack(pack(tree)), tree)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)])
def test_tensors_come_back_with_dtype_and_shape(dtype, shape):
    tensor = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
    came = unpack(pack({"x": [tensor]}))["x"][0]
    assert came.dtype == dtype and came.shape == tensor.shape
    assert torch.equal(came, tensor)


def test_a_view_is_written_as_it_is_seen():
    tensor = torch.arange(12).reshape(3, 4).t()[1:]
    assert torch.equal(unpack(pack(tensor)), tensor)


def test_the_same_tree_gives_the_same_bytes():
    tree = {"b": torch.ones(2), "a": [1, 2.5, "x"]}
    assert pack(tree) == pack({"b": torch.ones(2), "a": [1, 2.5, "x"]})


@pytest.mark.parametrize(
    "thing", [object(), {1, 2}, b"bytes", 1j, torch.zeros(1, dtype=torch.cfloat)]
)
def test_what_cannot_be_written_is_refused(thing):
    with pytest.raises(BadData):
        pack({"x": thing})


@settings(max_examples=300)
@given(st.binary(max_size=400))
def test_arbitrary_bytes_are_refused(data):
    with pytest.raises(BadData):
        unpack(data)


@settings(max_examples=300)
@given(st.data())
def test_damaged_bytes_are_refused_or_read_as_plain_data(data):
    good = bytearray(pack({"x": torch.arange(6).float(), "y": [1, "text", None]}))
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(BadData):
        unpack(bytes(good))


def test_a_pickle_is_refused():
    with pytest.raises(BadData):
        unpack(pickle.dumps({"x": 1}))


@pytest.mark.parametrize(
    "tree",
    [
        None,
        [],
        {"tensors": {}, "values": {}},
        {"tensors": {"x": 1}, "values": {}, "failure": None},
        {"tensors": [], "values": {}, "failure": None},
        {"tensors": {}, "values": {}, "failure": {"kind": "exception"}},
        {"tensors": {}, "values": {}, "failure": {**vars(Failure("died")), "line": 3}},
    ],
)
def test_what_is_no_evidence_is_refused(tree):
    with pytest.raises(BadData):
        Evidence.from_tree(tree)


def test_evidence_comes_back():
    evidence = Evidence({"x": torch.ones(2)}, {"n": 3}, Failure("exception", "ValueError", "no"))
    came = Evidence.from_tree(unpack(pack(evidence.to_tree())))
    assert torch.equal(came.tensors["x"], torch.ones(2))
    assert (came.values, came.failure) == (evidence.values, evidence.failure)
