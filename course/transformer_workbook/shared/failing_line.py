"""Describes the names in a failing line, beside the student's code: the text is untrusted."""

import builtins
import keyword
import re
import types

import torch

MOST_NAMES, LONGEST_NAME, LONGEST = 6, 40, 300  # names; characters


def names_in(line: str, frame: types.FrameType) -> str:
    """The names in a line with type and shape: "x: Tensor (2, 3) float32; mask: None".

    Leaves out functions, classes and Python's own names. Values are not shown. Never raises.
    """
    described = {}
    for owner, name in re.findall(r"(?<![\w.])(?:(self)\.)?([^\W\d]\w*)", line.partition("  #")[0]):
        if keyword.iskeyword(name):
            continue
        whole = f"{owner}.{name}" if owner else name
        try:
            value = _attribute(frame, name) if owner else _variable(frame, name)
            if (
                (what := _what(value))
                and len(described) < MOST_NAMES
                and len(whole) <= LONGEST_NAME
            ):
                described[whole] = f"{whole}: {what}"
        except BaseException:  # a student's own __getattr__ or shape
            continue
    return "; ".join(described.values())[:LONGEST]


def _variable(frame: types.FrameType, name: str):
    if name in frame.f_locals:
        return frame.f_locals[name]
    return frame.f_globals.get(name, getattr(builtins, name, builtins))


def _attribute(frame: types.FrameType, name: str):
    """`self.name`, without running a property of the student's."""
    own = vars(frame.f_locals["self"])
    for attributes in (
        own,
        *(own.get(kind, {}) for kind in ("_parameters", "_buffers", "_modules")),
    ):
        if name in attributes:
            return attributes[name]
    return builtins


def _what(value) -> str:
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
