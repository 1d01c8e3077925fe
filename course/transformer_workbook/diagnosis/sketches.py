"""A few numbers that stand for evidence: enough to tell whether other evidence is like it.

The evidence of hundreds of wrong answers ships with the course. Of each floating-point tensor, a
sketch keeps its shape and the sums of its entries under two sets of weights; two tensors that
differ by more than rounding have other sums.
"""

import math
import zlib
from dataclasses import dataclass

import torch

from ..shared.evidence import Evidence
from ..shared.packing import BadData, plain_copy
from .compare import DEFAULT, Rule

# Beyond this a number stands for infinity; dtypes have different lowest numbers.
HUGE = 1e29
ATOL, RTOL = DEFAULT.atol, DEFAULT.rtol


@dataclass(frozen=True)
class Sketch:
    """The evidence of one case in short.

    `failure` is the signature of a crash, `values` the plain values, `tensors` the `sums_of` each.
    """

    values: dict[str, object]
    tensors: dict[str, list]
    failure: tuple[str, ...] = ()

    @classmethod
    def from_evidence(cls, evidence: Evidence, rules: dict[str, Rule]) -> "Sketch":
        """The sketch of evidence, without what the rules ignore."""
        if evidence.failure:
            return cls({}, {}, evidence.failure.signature)
        tensors = {
            name: sums_of(tensor)
            for name, tensor in evidence.tensors.items()
            if rules.get(name, DEFAULT).kind != "ignored"
        }
        return cls({name: rounded(value) for name, value in evidence.values.items()}, tensors)

    def to_tree(self) -> list:
        """The sketch as plain values."""
        return list(self.failure) if self.failure else [self.values, self.tensors]

    @classmethod
    def from_tree(cls, tree) -> "Sketch":
        """Read `to_tree` back. Raises BadData for anything else."""
        match tree:
            case [str(), str(), str()]:
                return cls({}, {}, tuple(tree))
            case [dict() as values, dict() as tensors]:
                return cls(values, tensors)
        raise BadData("this is no sketch of evidence")


class Comparable:
    """Evidence of one case, to be compared with many sketches.

    Names, dtypes and shapes are compared before numbers, and each tensor is summed once: those of a
    student can be large.
    """

    def __init__(self, evidence: Evidence, rules: dict[str, Rule]):
        self.failure = evidence.failure
        self._tensors = {
            name: tensor
            for name, tensor in evidence.tensors.items()
            if rules.get(name, DEFAULT).kind != "ignored"
        }
        self._values = {name: rounded(value) for name, value in evidence.values.items()}
        self._sums: dict[str, list] = {}

    def is_like(self, other: Sketch) -> bool:
        """Whether the evidence could come from the code that the sketch was made of."""
        if self.failure or other.failure:
            return bool(self.failure) and self.failure.signature == other.failure
        return (
            self._tensors.keys() == other.tensors.keys()
            and all(_values_match(self._values.get(n), value) for n, value in other.values.items())
            and all(_has_form_of(self._tensors[n], sums) for n, sums in other.tensors.items())
            and all(sums_match(self._sums_of(n), sums) for n, sums in other.tensors.items())
        )

    def _sums_of(self, name: str) -> list:
        if name not in self._sums:
            self._sums[name] = sums_of(self._tensors[name])
        return self._sums[name]


def _has_form_of(tensor: torch.Tensor, sums: list) -> bool:
    """Whether a tensor has the shape, and the kind of dtype, that sums are of."""
    if list(tensor.shape) != sums[0]:
        return False
    is_of_floats = len(sums) != 3
    return tensor.is_floating_point() == is_of_floats


def close(one: Sketch, other: Sketch, share: float) -> bool:
    """Whether two sketches of one case are equal but for a share of the tolerance."""
    return (
        one.failure == other.failure
        and one.values.keys() == other.values.keys()
        and one.tensors.keys() == other.tensors.keys()
        and all(
            _values_match(value, other.values[name], share) for name, value in one.values.items()
        )
        and all(sums_match(sums, other.tensors[name], share) for name, sums in one.tensors.items())
    )


def sums_of(tensor: torch.Tensor) -> list:
    """[shape, dtype, checksum], or of floating-point entries [shape, sum, sum, norm, special].

    `special` is the sum over entries that are infinite or no number.
    """
    shape = list(tensor.shape)
    if not tensor.is_floating_point():
        content = plain_copy(tensor.reshape(-1)).numpy().tobytes()
        return [shape, str(tensor.dtype).removeprefix("torch."), zlib.crc32(content)]
    flat = tensor.detach().double().flatten()
    special = torch.where(flat.isnan(), 2.0, torch.where(flat.abs() >= HUGE, flat.sign(), 0.0))
    plain = torch.where(special == 0, flat, 0.0)
    weights = _weights(flat.numel())
    numbers = [*(weights @ plain).tolist(), plain.norm().item(), (weights[0] @ special).item()]
    return [shape, *(float(f"{number:.6g}") for number in numbers)]


def _weights(count: int) -> torch.Tensor:
    """Two sets of numbers from -1 to 1, (2, count)."""
    index = torch.arange(1, count + 1, dtype=torch.float64)
    return torch.stack([torch.cos(2.4 * index), torch.cos(1.7 * index + 0.01 * index * index)])


def sums_match(actual: list, other: list, share: float = 1.0) -> bool:
    """Whether two tensors with these sums may be equal, up to a share of the tolerance."""
    if len(actual) != len(other) or actual[0] != other[0]:
        return False
    if len(actual) == 3:
        return actual == other
    size = max(math.prod(actual[0]), 1) ** 0.5
    tolerance = share * (ATOL * size + RTOL * max(actual[3], other[3]))
    return abs(actual[4] - other[4]) < 1e-3 and all(
        abs(a - b) <= tolerance for a, b in zip(actual[1:4], other[1:4], strict=True)
    )


def _values_match(actual, value, share: float = 1.0) -> bool:
    if isinstance(value, float) and isinstance(actual, float):
        tolerance = share * (ATOL + RTOL * abs(value))
        return (
            actual == value
            or abs(actual - value) <= tolerance
            or (actual != actual and value != value)
        )
    return type(actual) is type(value) and actual == value


def rounded(value: object) -> object:
    """A float with seven digits, so that it is the same on every processor; others as they are."""
    return float(f"{value:.7g}") if isinstance(value, float) else value
