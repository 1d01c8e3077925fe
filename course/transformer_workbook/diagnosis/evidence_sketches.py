"""A few numbers that stand for evidence: enough to tell whether other evidence is like it.

The evidence of hundreds of wrong answers ships with the course. Of each floating-point tensor, a
sketch keeps its shape and the sums of its entries under two sets of weights; two tensors that
differ by more than rounding have other sums.
"""

import math
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from ..shared.evidence import Evidence
from ..shared.packing import BadData, plain_copy
from .compare import DEFAULT, Rule

# Beyond this a number stands for infinity; dtypes have different lowest numbers.
HUGE = 1e29
ATOL, RTOL = DEFAULT.atol, DEFAULT.rtol

Sums = list[Any]  # of a tensor, see `sums_of`


@dataclass(frozen=True)
class Sketch:
    """The evidence of one case in short.

    `failure` is the signature of a crash, `values` the plain values, `tensors` the `sums_of` each.
    """

    values: dict[str, object]
    tensors: dict[str, Sums]
    failure: tuple[str, ...] = ()

    @classmethod
    def from_evidence(cls, evidence: Evidence, rules: dict[str, Rule]) -> "Sketch":
        """The sketch of evidence, without what the rules ignore."""
        if evidence.failure:
            return cls({}, {}, evidence.failure.signature)
        judged = _judged_tensors(evidence, rules)
        tensors = {name: sums_of(tensor) for name, tensor in judged.items()}
        return cls({name: rounded(value) for name, value in evidence.values.items()}, tensors)

    def to_tree(self) -> list[Any]:
        """The sketch as plain values."""
        return list(self.failure) if self.failure else [self.values, self.tensors]

    @classmethod
    def from_tree(cls, tree: object) -> "Sketch":
        """Read `to_tree` back. Raises BadData for anything else."""
        match tree:
            case [str(), str(), str()]:
                return cls({}, {}, tuple(tree))
            case [dict() as values, dict() as tensors]:
                return cls(values, tensors)
        raise BadData("this is no sketch of evidence")


@dataclass(frozen=True)
class LazySketch:
    """The sketch of a student's evidence, made when a recorded one has the same form.

    A student's tensors can be large: their names, dtypes and shapes are compared before any number.
    """

    evidence: Evidence
    rules: dict[str, Rule]

    def is_like(self, recorded: Sketch) -> bool:
        """Whether the evidence could come from the code that the sketch was recorded of."""
        return self._has_form_of(recorded) and is_like(self._sketch, recorded)

    def _has_form_of(self, recorded: Sketch) -> bool:
        return self._tensors.keys() == recorded.tensors.keys() and all(
            _has_form_of(self._tensors[name], sums) for name, sums in recorded.tensors.items()
        )

    @cached_property
    def _tensors(self) -> dict[str, torch.Tensor]:
        return _judged_tensors(self.evidence, self.rules)

    @cached_property
    def _sketch(self) -> Sketch:
        return Sketch.from_evidence(self.evidence, self.rules)


def _judged_tensors(evidence: Evidence, rules: dict[str, Rule]) -> dict[str, torch.Tensor]:
    """The tensors of the evidence, without what the rules ignore."""
    return {
        name: tensor
        for name, tensor in evidence.tensors.items()
        if rules.get(name, DEFAULT).kind != "ignored"
    }


def _has_form_of(tensor: torch.Tensor, sums: Sums) -> bool:
    """Whether a tensor has the shape, and the kind of dtype, that sums are of."""
    is_of_floats = len(sums) != 3
    return list(tensor.shape) == sums[0] and tensor.is_floating_point() == is_of_floats


def is_like(sketch: Sketch, twin: Sketch, share: float = 1.0) -> bool:
    """Whether two sketches of one case are equal, up to a share of the tolerance."""
    return (
        sketch.failure == twin.failure
        and sketch.values.keys() == twin.values.keys()
        and sketch.tensors.keys() == twin.tensors.keys()
        and all(
            _values_match(value, twin.values[name], share) for name, value in sketch.values.items()
        )
        and all(
            sums_match(sums, twin.tensors[name], share) for name, sums in sketch.tensors.items()
        )
    )


def sums_of(tensor: torch.Tensor) -> Sums:
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


def sums_match(sums: Sums, twin: Sums, share: float = 1.0) -> bool:
    """Whether two tensors with these sums may be equal, up to a share of the tolerance."""
    if len(sums) != len(twin) or sums[0] != twin[0]:
        return False
    if len(sums) == 3:
        return sums == twin
    size = max(math.prod(sums[0]), 1) ** 0.5
    tolerance = share * (ATOL * size + RTOL * max(sums[3], twin[3]))
    return abs(sums[4] - twin[4]) < 1e-3 and all(
        abs(a - b) <= tolerance for a, b in zip(sums[1:4], twin[1:4], strict=True)
    )


def _values_match(actual: object, value: object, share: float = 1.0) -> bool:
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
