"""Points that course.toml gives to tests and questions, in place of a lesson's own.

[points.01-attention]
scaled_dot_product_attention = 15    # its tests keep their shares of it
bug_hunt_1 = { smoothing = 4 }       # one test; the others keep their points
question_1 = 3
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autograder.errors import AuthoringError
from autograder.language import _

from .cases import Test, check_keys


def weighed(
    where: str, tests: dict[str, list[Test]], points: Mapping[str, Any]
) -> dict[str, list[Test]]:
    """The tests by component, with the points that the table gives them.

    A number is a component's, and its tests keep their shares; a table gives points to tests by
    name. Raises AuthoringError, naming `where`, for what is no number of points or no test.
    """
    return {
        component: _of_component(f"{where}.{component}", its_tests, points[component])
        if component in points
        else its_tests
        for component, its_tests in tests.items()
    }


def _of_component(where: str, tests: list[Test], given: object) -> list[Test]:
    if isinstance(given, dict):
        check_keys(where, given, [test.name for test in tests])
        new = {name: number_of_points(f"{where}.{name}", value) for name, value in given.items()}
        return [replace(test, points=new.get(test.name, test.points)) for test in tests]
    wanted, whole = number_of_points(where, given), sum(test.points for test in tests) or 1.0
    return [replace(test, points=test.points * wanted / whole) for test in tests]


def number_of_points(where: str, value: object) -> float:
    """The value, if it is a number of points. Raises AuthoringError."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value < math.inf:  # type: ignore[operator]
        raise AuthoringError(
            _("{where} is {value!r}; expected a number of points, 0 or more"),
            where=where, value=value,
        )  # fmt: skip
    return float(value)  # type: ignore[arg-type]


def cell_of_tests(component: str) -> str:
    """The name, for nbgrader, of the cell that holds a component's tests."""
    return f"test_{component}"


def component_of(cell: str) -> str:
    """The component whose tests a cell holds, by the cell's name."""
    return cell.removeprefix("test_")
