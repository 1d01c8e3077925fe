"""What is packed comes back; any other bytes are refused, without running anything."""

import contextlib
import json

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer_workbook.shared.evidence import Evidence, Failure
from transformer_workbook.shared.packing import DTYPES, BadData, pack, unpack

TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates, too
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats() | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
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


@given(PLAIN.filter(lambda tree: "$tensor" not in repr(tree)))
def test_plain_trees_come_back(tree):
    assert same(unpack(pack(tree)), tree)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3, 4)])
def test_tensors_come_back_with_dtype_and_shape(dtype, shape):
    tensor = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
    actual = unpack(pack({"x": [tensor]}))["x"][0]
    assert actual.dtype == dtype and actual.shape == tensor.shape
    assert torch.equal(actual, tensor)


def test_a_view_is_written_as_it_is_seen():
    tensor = torch.arange(12).reshape(3, 4).t()[1:]
    assert torch.equal(unpack(pack(tensor)), tensor)


def test_each_bit_of_a_number_comes_back():
    """A nan has many bit patterns; zero and the smallest numbers have a sign."""
    bits = torch.tensor([0x7FC00001, 0x7FA00000, -0x80000000, -0x7FFFFFFF], dtype=torch.int32)
    actual = unpack(pack(bits.view(torch.float32)))
    assert torch.equal(actual.view(torch.int32), bits)


def test_tensors_that_share_memory_or_have_a_graph():
    whole = torch.arange(12.0, requires_grad=True)
    tree = [whole, whole, whole[2:4], whole.view(3, 4), torch.zeros(1).expand(3)]
    tree.append(torch.view_as_complex(torch.ones(3, 2)).conj().imag)  # negated as it is read
    for tensor, actual in zip(tree, unpack(pack(tree)), strict=True):
        assert torch.equal(tensor, actual) and not actual.requires_grad
        actual += 1  # is writable, and changes no other
    assert torch.equal(whole, torch.arange(12.0))


def test_the_same_tree_gives_the_same_bytes():
    tree = {"b": torch.ones(2), "a": [1, 2.5, "x"]}
    assert pack(tree) == pack({"b": torch.ones(2), "a": [1, 2.5, "x"]})


@pytest.mark.parametrize(
    "thing",
    [
        object(), {1, 2}, b"bytes", 1j, 2**63, torch.zeros(1, dtype=torch.cfloat),
        torch.zeros(1, dtype=torch.uint16), torch.zeros(1).to(torch.float8_e4m3fn),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    "tensor",
    [torch.eye(2).to_sparse(), torch.empty(2, device="meta")],
    ids=["sparse", "without data"],
)
def test_tensors_without_plain_memory_are_refused(tensor):
    with pytest.raises((RuntimeError, ValueError)):
        pack(tensor)


def forged(header: str, body: bytes = b"") -> bytes:
    return len(header.encode()).to_bytes(8, "little") + header.encode() + body


def one(dtype="F32", shape="[1]", end=4, tree='{"$tensor":"0"}') -> str:
    entry = f'"0":{{"dtype":"{dtype}","shape":{shape},"data_offsets":[0,{end}]}}'
    return f'{{"__metadata__":{{"tree":{json.dumps(tree)}}},{entry}}}'


# Which of these dtypes the library knows depends on its version.
NO_SUCH_DTYPE = "entry is malformed|no tensor|do not begin"


def test_what_pack_writes_can_be_forged():
    assert unpack(forged(one(), bytes(4))).tolist() == [0.0]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "cut off"),
        (forged(one(), bytes(4))[:40], "cut off"),
        (forged(one(), bytes(3)), "do not begin"),
        (forged(one(), bytes(5)), "do not begin"),
        (forged("[1]"), "do not begin"),
        (forged(one(shape="[2]"), bytes(4)), "do not begin"),
        (forged(one("C64", "[1]", 8), bytes(8)), NO_SUCH_DTYPE),
        (forged(one("U16", "[2]"), bytes(4)), NO_SUCH_DTYPE),
        (forged(one("F8_E4M3", "[4]"), bytes(4)), NO_SUCH_DTYPE),
        (forged(one("F4", "[8]"), bytes(4)), NO_SUCH_DTYPE),
        (forged(one("BOOL", "[4]"), b"\0\1\2\1"), "0 and 1"),
        (forged(one(shape=str([1] * 17)), bytes(4)), "sizes"),
        (forged(one(shape=f"[0,{2**40}]", end=0)), "sizes"),
        (forged(one(shape=f"[0,{2**62},{2**62}]", end=0)), "sizes|do not begin"),
        (forged(one(tree='{"$tensor":"1"}'), bytes(4)), "entry"),
        (forged(one(tree='{"$tensor":["0"]}'), bytes(4)), "entry"),
        (forged(one(tree='[{"$tensor":"0"},{"$tensor":"0"}]'), bytes(4)), "entry"),
        (forged(one(tree="[]"), bytes(4)), "more bytes"),
        (forged(one(tree="[" * 60 + "]" * 60), bytes(4)), "deeply"),
        (forged(one(tree="[" * 100_000), bytes(4)), "not JSON"),
        (forged(one(tree="1" * 30), bytes(4)), "too large"),
        (forged('{"0":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', bytes(4)), "not JSON"),
        (forged('{"__metadata__":null}'), "not JSON"),
    ],
)
def test_forged_bytes_are_refused_for_what_they_are(data, says):
    with pytest.raises(BadData, match=says):
        unpack(data)


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
    actual = Evidence.from_tree(unpack(pack(evidence.to_tree())))
    assert torch.equal(actual.tensors["x"], torch.ones(2))
    assert (actual.values, actual.failure) == (evidence.values, evidence.failure)
