"""The order in which a model uses its parts, which a student may have created in any order."""

import itertools
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


def order_of_use(model: nn.Module, *inputs: torch.Tensor) -> dict[int, int]:
    """A number for each parameter that model(*inputs) uses, by `id`: the smaller, the earlier.

    A parameter is used where an operation gets it, whether its module is called or not. Raises
    what the model raises, and leaves the state of the random numbers as it was.
    """
    uses = _Uses()
    with torch.random.fork_rng(devices=[]), torch.no_grad(), uses:
        model(*inputs)
    return {id(leaf): uses.first[id(leaf)] for leaf in model.parameters() if id(leaf) in uses.first}


class _Uses(TorchDispatchMode):
    def __init__(self) -> None:
        TorchDispatchMode.__init__(self)
        self.first: dict[int, int] = {}
        self.count = itertools.count()

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        for leaf in tree_leaves((args, kwargs)):
            if isinstance(leaf, torch.Tensor):
                self.first.setdefault(id(leaf), next(self.count))
        return function(*args, **(kwargs or {}))


def first_use(part: nn.Module, order: dict[int, int]) -> float:
    """When a part's parameters are used first, by `order_of_use`; infinity for never."""
    return min((order.get(id(leaf), float("inf")) for leaf in part.parameters()), default=0.0)


def having(model: nn.Module, *names: str) -> list[nn.Module]:
    """The parts of a model that have attributes of these names, in the order of their creation."""
    return [part for part in model.modules() if all(hasattr(part, name) for name in names)]


def sorted_by_use(parts: Iterable[nn.Module], order: dict[int, int]) -> list[nn.Module]:
    """Parts in the order of their use, by `order_of_use`; unused ones last."""
    return sorted(parts, key=lambda part: first_use(part, order))
