"""Describes the names in a failing line, beside the student's code: the text is untrusted."""

import ast
import builtins
import keyword
import re
import types
from collections.abc import Iterator
from typing import Any

import torch

from .syntax import read

MOST_NAMES, LONGEST_NAME, LONGEST = 6, 40, 300  # names; characters


def names_in(line: str, frame: types.FrameType) -> str:
    """The names that a line reads, with type and shape: "x: Tensor (2, 3) float32; mask: None".

    Leaves out functions, classes, Python's own names, and names that the line only assigns. Values
    are not shown. Never raises.
    """
    described: dict[str, str] = {}
    for owner, name in _names_read(line, in_lambda=frame.f_code.co_name == "<lambda>"):
        whole = f"{owner}.{name}" if owner else name
        try:
            value = _attribute(frame, name) if owner else _variable(frame, name)
            has_room = len(described) < MOST_NAMES and len(whole) <= LONGEST_NAME
            if has_room and (description := _what(value)):
                described[whole] = f"{whole}: {description}"
        except BaseException:  # a student's own __getattr__ or shape
            continue
    return "; ".join(described.values())[:LONGEST]


def _names_read(line: str, in_lambda: bool) -> Iterator[tuple[str, str]]:
    """("", "x") for each `x` and ("self", "x") for each `self.x` that a line reads, in order.

    The parameters of a lambda in the line are left out, unless it is the lambda that failed.
    """
    line = line.partition("  #")[0].strip()
    tree = read(line) or read(f"{line} pass")  # the second for the head of a block
    if tree is None:  # a part of a longer statement; a name before "=" is assigned, or a keyword
        targets = re.compile(r"[\w\s.,]*,[\w\s.]*=(?!=)")
        values = line[assigned.end() :] if (assigned := targets.match(line)) else line
        for owner, name in re.findall(r"(?<![\w.])(?:(self)\.)?([^\W\d]\w*)\b(?!\s*=[^=])", values):
            if not keyword.iskeyword(name):
                yield owner, name
        return
    nodes = sorted(
        (node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)),
        key=lambda node: (node.lineno, node.col_offset, isinstance(node, ast.Name)),
    )
    updated = {id(node.target) for node in ast.walk(tree) if isinstance(node, ast.AugAssign)}
    parameters = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    owners = set()
    for node in nodes:
        reads = isinstance(node.ctx, ast.Load) or id(node) in updated
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                owners.add(id(node.value))
                if reads:
                    yield "self", node.attr
        elif reads and id(node) not in owners and (in_lambda or node.id not in parameters):
            yield "", node.id


def _variable(frame: types.FrameType, name: str) -> Any:
    if name in frame.f_locals:
        return frame.f_locals[name]
    if name not in frame.f_code.co_names:  # a local that has no value yet
        return builtins
    return frame.f_globals.get(name, builtins)


def _attribute(frame: types.FrameType, name: str) -> Any:
    """`self.name`, without running a property of the student's."""
    attributes_of_self = vars(frame.f_locals["self"])
    for attributes in (
        attributes_of_self,
        *(attributes_of_self.get(kind, {}) for kind in ("_parameters", "_buffers", "_modules")),
    ):
        if name in attributes:
            return attributes[name]
    return builtins


def _what(value: Any) -> str:
    kind = type(value).__name__[:LONGEST_NAME]
    if isinstance(value, torch.Tensor):
        shape, dtype = tuple(torch.Tensor.size(value)), str(value.dtype).removeprefix("torch.")
        return f"Tensor {shape} {dtype}"
    if type(value) in (tuple, list, dict, str):
        return f"{kind} ({len(value)})"
    if value is None:
        return "None"
    is_code = callable(value) or isinstance(value, types.ModuleType)
    return "" if is_code and not isinstance(value, torch.nn.Module) else kind
