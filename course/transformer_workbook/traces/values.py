"""Values of variables: takes snapshots of them, compares these, and writes them as plain data."""

import math
from itertools import permutations
from typing import Any

import torch

from ..diagnosis.evidence_sketches import rounded, sums_match, sums_of
from ..diagnosis.grids import SMALL
from ..shared.language import _
from ..shared.packing import BadData

MOST_AXES = 6  # axes are tried in all orders if there are fewer
MOST_ITEMS = 16  # of a list
LONGEST = 100  # characters of a text
LARGEST = 2**31  # integers beyond this are addresses in memory, as of id()
MASKED = 1e8  # scores below minus this are masked, whatever number stands there
# An intermediate value may be less exact than a result: the last digits of a sum may be lost.
RTOL, ATOL = 1e-3, 1e-4
HALF_RTOL, HALF_ATOL = 2e-2, 1e-2  # in float16 and bfloat16: a dtype of its own is no other number

# The snapshot of a value: a number, a text, a small tensor, a TensorSums, or a list of such.
TracedValue = Any


class TensorSums(list[Any]):
    """The sketch of a tensor with many entries: its shape comes first."""


class Incomparable(Exception):
    """A value that cannot be compared: an object, a long list."""


def snapshot(value: Any) -> TracedValue:
    """A copy of a value; of a large tensor, a sketch. Raises Incomparable."""
    match value:
        case torch.Tensor():
            plain = torch.Tensor.detach(value).as_subclass(torch.Tensor)
            if plain.is_meta or plain.layout != torch.strided:
                raise Incomparable
            return plain.cpu().clone() if plain.numel() < SMALL else TensorSums(sums_of(plain))
        case bool():
            return value
        case int() if abs(value) < LARGEST:
            return value
        case float():
            return value
        case list() | tuple() if 0 < len(value) <= MOST_ITEMS:
            return [snapshot(item) for item in value]
        case torch.nn.Module() if type(value).__module__.startswith("torch.nn."):
            text = repr(value)
            if len(text) <= LONGEST:
                return text
    raise Incomparable


def are_alike(actual: TracedValue, expected: TracedValue) -> bool:
    """Whether two snapshots are equal up to rounding; dtypes of numbers may differ."""
    if isinstance(actual, TensorSums) or isinstance(expected, TensorSums):
        both = isinstance(actual, TensorSums) and isinstance(expected, TensorSums)
        return both and sums_match(actual, expected)
    if isinstance(actual, list) or isinstance(expected, list):
        both = isinstance(actual, list) and isinstance(expected, list)
        return both and len(actual) == len(expected) and all(map(are_alike, actual, expected))
    if isinstance(actual, str) or isinstance(expected, str):
        return bool(actual == expected)
    ours, theirs = torch.as_tensor(actual), torch.as_tensor(expected)
    if ours.shape != theirs.shape or (ours.dtype == torch.bool) != (theirs.dtype == torch.bool):
        return False
    return bool(are_close(ours, theirs).all())


def are_comparable(actual: TracedValue, expected: TracedValue) -> bool:
    """Whether a difference would mean anything: a list may hold what a tensor does elsewhere."""
    lists = [
        isinstance(value, list) and not isinstance(value, TensorSums)
        for value in (actual, expected)
    ]
    return lists[0] == lists[1]


def are_moved(actual: TracedValue, expected: TracedValue) -> bool:
    """Whether two values hold the same numbers in other shapes, or with axes permuted."""
    if isinstance(actual, TensorSums) and isinstance(expected, TensorSums):
        shapes = [sorted(size for size in value[0] if size > 1) for value in (actual, expected)]
        is_of_floats = len(actual) == len(expected) == 5
        if not is_of_floats or actual[0] == expected[0] or shapes[0] != shapes[1]:
            return False
        return math.isclose(actual[3], expected[3], rel_tol=RTOL)
    try:
        ours, theirs = _as_tensor(actual), _as_tensor(expected)
    except Incomparable:
        return False
    if ours.numel() != theirs.numel() or (ours.dtype == torch.bool) != (theirs.dtype == torch.bool):
        return False
    if are_close(ours.flatten(), theirs.flatten()).all():
        return True
    ours, theirs = ours.squeeze(), theirs.squeeze()
    return ours.dim() == theirs.dim() < MOST_AXES and any(
        permuted.shape == theirs.shape and bool(are_close(permuted, theirs).all())
        for permuted in map(ours.permute, permutations(range(ours.dim())))
    )


def _as_tensor(value: TracedValue) -> torch.Tensor:
    """A value as one tensor, a list stacked. Raises Incomparable."""
    if isinstance(value, TensorSums | str):
        raise Incomparable
    if isinstance(value, list):
        parts = [_as_tensor(item) for item in value]
        if len({part.shape for part in parts}) > 1:
            raise Incomparable
        return torch.stack(parts)
    return torch.as_tensor(value)


def are_close(actual: torch.Tensor, expected: torch.Tensor) -> torch.Tensor:
    """Which entries of two tensors of one shape are the same, up to rounding of their dtypes."""
    in_half = any(one.is_floating_point() and one.element_size() < 4 for one in (actual, expected))
    rtol, atol = (HALF_RTOL, HALF_ATOL) if in_half else (RTOL, ATOL)
    actual, expected = (tensor.double().clamp(-MASKED, MASKED) for tensor in (actual, expected))
    return torch.isclose(actual, expected, rtol=rtol, atol=atol, equal_nan=True)


def to_tree(value: TracedValue) -> Any:
    """A snapshot as plain data, its numbers rounded."""
    match value:
        case TensorSums():
            return {"sketch": list(value)}
        case torch.Tensor():
            kind = "b" if value.dtype == torch.bool else "f" if value.is_floating_point() else "i"
            entries = map(rounded, value.flatten().tolist())
            return {kind: list(entries), "shape": list(value.shape)}
        case list():
            return [to_tree(item) for item in value]
    return rounded(value)


def from_tree(tree: Any) -> TracedValue:
    """Read `to_tree` back, also from untrusted code. Raises BadData for anything else."""
    match tree:
        case {"sketch": [list() as shape, *numbers], **others} if not others and _is_shape(shape):
            if len(numbers) == 4 and _are_numbers(numbers):
                return TensorSums([shape, *numbers])
            if len(numbers) == 2 and isinstance(numbers[0], str) and _are_numbers(numbers[1:]):
                return TensorSums([shape, *numbers])
        case {"shape": [*shape], **entries} if len(entries) == 1:
            return _tensor(shape, *entries.popitem())
        case list() if len(tree) <= MOST_ITEMS:
            return [from_tree(item) for item in tree]
        case bool() | float():
            return tree
        case int() if abs(tree) < LARGEST:
            return tree
        case str() if len(tree) <= LONGEST:
            return tree
    raise BadData(_("this is no value of a variable"))


_DTYPES = {"b": torch.bool, "i": torch.int64, "f": torch.float32}


def _tensor(shape: list[Any], kind: object, entries: object) -> torch.Tensor:
    if not isinstance(kind, str) or kind not in _DTYPES or not _is_shape(shape):
        raise BadData(_("this is no tensor"))
    if not isinstance(entries, list) or len(entries) != math.prod(shape):
        raise BadData(_("a tensor has another number of entries"))
    if len(entries) >= SMALL or not all(isinstance(entry, bool | int | float) for entry in entries):
        raise BadData(_("a tensor has other entries than numbers"))
    try:
        return torch.tensor(entries, dtype=_DTYPES[kind]).reshape(shape)
    except (OverflowError, RuntimeError, ValueError) as error:
        raise BadData(_("a tensor's entry is too large")) from error


def _is_shape(sizes: list[Any]) -> bool:
    return len(sizes) <= 16 and all(type(size) is int and 0 <= size < 2**40 for size in sizes)


def _are_numbers(values: list[Any]) -> bool:
    return all(type(value) in (int, float) for value in values)
