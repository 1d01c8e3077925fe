"""The values of right answers that ship with the course."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from ..diagnosis.recorded_lessons import recorded_values
from .divergence import ReferenceTraces
from .values import from_tree, to_tree


@cache
def recorded_traces(lesson: str, component: str) -> dict[str, ReferenceTraces]:
    """The traces of right answers, by case of a component's check; empty if none are recorded.

    Raises BadData if the file is damaged.
    """
    return {case: read(tree) for case, tree in recorded_values(lesson, component).items()}


def write(references: ReferenceTraces) -> dict[str, Any]:
    """The traces of one case as plain data."""
    return {
        variable: [[to_tree(value) for value in way] for way in variants]
        for variable, variants in sorted(references.items())
    }


def read(tree: Mapping[str, Any]) -> ReferenceTraces:
    """Read `write` back. Raises BadData."""
    return {
        variable: [[from_tree(value) for value in way] for way in variants]
        for variable, variants in tree.items()
    }
