"""What a lesson has handed in beside its notebook, if its folder has a grader of its own for it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

GRADER = "grader.py"  # in the lesson's folder; its function `hand_in(folder)` returns a HandIn


@dataclass(frozen=True)
class HandIn:
    """Files that are handed in beside a notebook.

    `component` is what they are called in the results, `tests` are the points of each of its
    tests, `largest` the bytes that each file may have, by name. `grader` makes the
    `ComponentGrader` that judges them; it is given what `CellGrader` is.
    """

    component: str
    tests: Mapping[str, float]
    largest: Mapping[str, int]
    grader: Callable[..., Any]

    @property
    def points(self) -> float:
        return sum(self.tests.values())
