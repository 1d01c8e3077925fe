"""Cases, tests and their inputs, for a lesson's visible.py and hidden.py."""

import hashlib
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import torch

from autograder.errors import AuthoringError, was_meant
from autograder.language import _
from transformer_workbook.diagnosis.compare import Rule

__all__ = ["Case", "Draw", "Rule", "Test"]


Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Case:
    """One call of a probe on given inputs, and how its evidence is judged.

    `rules` are by the name of the evidence; evidence without a rule is compared with the
    reference's. `says` tells the learner what a visible case tries. `control` names a misconception
    that must fail this case, which proves that an invariance can fail. `masks` are the tensors that
    rules name in `where`; the probe does not get them. In a case that is `watched`, the obligations
    of a component are judged, too: a lesson has the first of the cases that are alike watched, and
    those that say so.
    """

    name: str
    probe: str
    inputs: dict[str, Any]
    rules: dict[str, Rule] = field(default_factory=dict)
    says: str = ""
    control: str = ""
    masks: dict[str, torch.Tensor] = field(default_factory=dict)
    watched: bool = False

    def in_float64(self) -> "Case":
        """The same case in float64; the evidence has to be in float64, too."""
        inputs = {
            name: value.double() if _is_floating(value) else value
            for name, value in self.inputs.items()
        }
        return replace(self, inputs=inputs)

    @property
    def is_in_float64(self) -> bool:
        return any(
            _is_floating(value) and value.dtype == torch.float64 for value in self.inputs.values()
        )


def watch_first_of_alike(cases: Iterable[Case]) -> list[Case]:
    """The cases; of those that are alike, only the first is watched, unless a case says it is.

    To watch takes three times as long, and what violates an obligation does so in one such case
    after another.
    """
    watched, kinds = [], list[tuple[Any, ...]]()
    for case in cases:
        kind = _kind_of(case)
        watched.append(replace(case, watched=case.watched or kind not in kinds))
        kinds.append(kind)
    return watched


def _kind_of(case: Case) -> tuple[Any, ...]:
    """The probe, its tensors, and their axes of length 1: answers often take these by themselves,
    as for a single sentence or a single token.
    """
    axes = {
        name: [length == 1 for length in value.shape]
        for name, value in case.inputs.items()
        if isinstance(value, torch.Tensor)
    }
    return case.probe, axes


def _is_floating(value: object) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


@dataclass(frozen=True)
class Test:
    """Hidden cases that earn their points together; `says` tells the learner what is tested."""

    name: str
    points: float
    cases: list[Case]
    says: str = ""

    __test__ = False  # pytest: this is no test class


class Draw:
    """Pseudo-random inputs, the same on every machine for one seed.

    Values are multiples of 1/256, so a last bit in which a library's logarithm differs does not
    reach a recorded file.
    """

    def __init__(self, *seed: object):
        digest = hashlib.sha256("|".join(map(str, seed)).encode()).digest()
        self._random = random.Random(digest)

    def normal(self, *shape: int, scale: float = 1.0) -> torch.Tensor:
        """float32 of the given shape, mean 0 and standard deviation `scale`.

        Raises AuthoringError for a scale of which most values would be 0.
        """
        if 0 < scale < 1 / 128:
            raise AuthoringError(
                _("draw.normal with the scale {scale}: most values would be 0, for they are "
                  "multiples of 1/256. Draw, and divide: draw.normal(...) / 1000"), scale=scale,
            )  # fmt: skip
        values = [self._random.gauss(0, scale) for _ in range(math.prod(shape))]
        return (
            (torch.tensor(values, dtype=torch.float64) * 256)
            .round()
            .div(256)
            .float()
            .reshape(shape)
        )

    def integers(self, low: int, high: int, *shape: int) -> torch.Tensor:
        """torch.long of the given shape, from `low` up to but not including `high`."""
        values = [self._random.randrange(low, high) for _ in range(math.prod(shape))]
        return torch.tensor(values, dtype=torch.long).reshape(shape)

    def mask(self, *shape: int) -> torch.Tensor:
        """Boolean of the given shape, about 60 % True; a row has a True and, with room, a False."""
        rows = torch.zeros(shape, dtype=torch.bool).reshape(-1, shape[-1])
        for row in rows:
            visible = [self._random.random() < 0.6 for _ in range(shape[-1])]
            keys = self._random.sample(range(shape[-1]), min(2, shape[-1]))
            visible[keys[0]] = True
            if len(keys) > 1:
                visible[keys[1]] = False
            row.copy_(torch.tensor(visible))
        return rows.reshape(shape)

    def pick(self, *choices: Choice) -> Choice:
        """One of the choices."""
        return self._random.choice(choices)


def check_names(owner: str, names: list[str]) -> None:
    """Raise AuthoringError for a name that is empty or there twice."""
    for name in names:
        if not name:
            raise AuthoringError(_("{owner}: an empty name"), owner=owner)
        if names.count(name) > 1:
            raise AuthoringError(
                _("{owner}: the name {name!r} is there {count} times"),
                owner=owner, name=name, count=names.count(name),
            )  # fmt: skip


def check_keys(where: str, table: Iterable[str], names: Iterable[str]) -> None:
    """Raise AuthoringError for a key that is not known, with the nearest one that is."""
    names = list(names)
    for key in table:
        if key not in names:
            raise AuthoringError(
                _("{where}: {key!r} is not known.{close} Known are {known}"),
                where=where, key=key, known=", ".join(names),
                close=was_meant(key, names),
            )  # fmt: skip
