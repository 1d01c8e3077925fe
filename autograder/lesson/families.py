"""Families: one declaration, from which a test's visible and hidden cases come.

The secret draws sizes and numbers of hidden cases. For exceptions, see visible.py and hidden.py.
"""

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch

from autograder.errors import AuthoringError
from autograder.language import _
from transformer_workbook.shared.syntax import parse_expression

from .cases import Case, Draw
from .components import Component

VISIBLE_SIZES, HIDDEN_SIZES = range(2, 7), range(3, 10)
KNOWN = {"torch": torch, "math": math, "draw": None}  # beside the axes


@dataclass(frozen=True)
class Family:
    """Cases that differ in their sizes alone; the hidden ones earn `points` together.

    `inputs` are what the probe gets, in its order: a list is a normal tensor with these axes, a
    text an expression of axes and of `draw`, anything else itself. `axes` has the sizes of those
    axes that cannot have any. Raises AuthoringError where an input is no expression.
    """

    where: str
    name: str
    points: float
    says: str
    probe: str
    inputs: Mapping[str, Any]
    axes: Mapping[str, list[int]]
    control: str = ""

    @cached_property
    def _shapes(self) -> list[list[str]]:
        return [value for value in self.inputs.values() if isinstance(value, list)]

    @cached_property
    def _names(self) -> list[str]:
        """The axes: what the inputs name and nobody else defines."""
        texts = [text for shape in self._shapes for text in shape]
        texts += [value for value in self.inputs.values() if isinstance(value, str)]
        names = dict[str, None]()
        for text in texts:
            try:
                nodes = [*ast.walk(parse_expression(text))]
            except SyntaxError as error:
                raise AuthoringError(
                    _("{where}: {text!r} is no expression"), where=self.where, text=text
                ) from error
            names |= dict.fromkeys(node.id for node in nodes if isinstance(node, ast.Name))
        return [name for name in names if name not in KNOWN]

    def cases(self, draw: Draw, is_hidden: bool) -> list[Case]:
        """Two whose sizes all differ, one with each leading axis of length 1, one in float64.

        Raises AuthoringError where an input cannot be made, or no sizes fit.
        """
        last = {text for shape in self._shapes for text in shape[-1:]}
        leading = [axis for axis in self._names if axis not in last
                   and any(axis in shape for shape in self._shapes)]  # fmt: skip
        kinds = {self.name: "", f"{self.name}, again": ""}
        kinds |= {f"{self.name}, {axis} of 1": axis for axis in leading}
        cases = [self._case(name, draw, is_hidden, single) for name, single in kinds.items()]
        double = self._case(f"{self.name}, float64", draw, is_hidden).in_float64()
        return [*cases, double] if double.is_in_float64 else cases

    def _case(self, name: str, draw: Draw, is_hidden: bool, single: str = "") -> Case:
        sizes = self._sizes(draw, HIDDEN_SIZES if is_hidden else VISIBLE_SIZES, single)
        inputs = dict(self.inputs)
        for key, value in self.inputs.items():
            if isinstance(value, list):
                inputs[key] = draw.normal(*(self._value(text, sizes) for text in value))
            elif isinstance(value, str):
                inputs[key] = self._value(value, {**sizes, "draw": draw})
        shown = ", ".join(f"{axis} {size}" for axis, size in sizes.items())
        shown += ", float64" if name.endswith("float64") else ""
        return Case(name, self.probe, inputs, says=f"{self.says}: {shown}", control=self.control)

    def _sizes(self, draw: Draw, usual: range, single: str) -> dict[str, int]:
        """A size for each axis, so that no two lengths agree: no wrong axis fits by luck."""
        lengths = {*self._names, *(text for shape in self._shapes for text in shape)}
        for _draw in range(1000):
            sizes = {name: draw.pick(*self.axes.get(name, usual)) for name in self._names}
            sizes |= {single: 1} if single else {}
            if len({self._value(text, sizes) for text in lengths}) == len(lengths):
                return sizes
        raise AuthoringError(
            _("{where}: no sizes of {names} all differ; let [axes] of blanks.toml have more"),
            where=self.where, names=", ".join(self._names),
        )  # fmt: skip

    def _value(self, text: str, names: Mapping[str, Any]) -> Any:
        try:
            return eval(text, {**KNOWN, **names})
        except Exception as error:
            raise AuthoringError(
                _("{where}: {text!r} raised {type}: {error}"),
                where=self.where, text=text, type=type(error).__name__, error=error,
            ) from error  # fmt: skip


def read_families(
    where: str, data: Mapping[str, Any], components: Mapping[str, Component]
) -> dict[str, list[Family]]:
    """The families of each component of a blanks.toml, whose content is `data`, that has some.

    Without a `probe`, modules and functions have one each of the students' package.
    """
    return {
        table["name"]: [
            Family(
                f"{where}: {table['name']}, {entry['name']}",
                entry["name"],
                entry["points"],
                entry["says"],
                entry.get("probe", components[table["name"]].usual_probe),
                entry["inputs"],
                data.get("axes", {}),
                entry.get("control", ""),
            )
            for entry in table["family"]
        ]
        for table in [*data.get("component", []), *data.get("bug_hunt", [])]
        if "family" in table
    }
