"""Pictures and widgets of the course, each with a text alternative.

Those of a single lesson lie in its folder, lessons/*: SVG files in figures/, and functions in
pictures.py. They are found there by their names.
"""

import functools
import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .drawing import LESSONS, Drawing, drawing, files_of
from .heat_maps import alignment, heads, heat_map
from .lines import curves
from .parameters import parameters
from .picture import Picture
from .tensors import shapes

__all__ = ["Drawing", "Picture", "alignment", "curves", "heads", "heat_map", "parameters", "shapes"]


def __getattr__(name: str) -> Any:
    if not name.startswith("_"):
        if files_of(name):
            return functools.partial(drawing, name)
        for module in _of_lessons():
            if name in module.__all__:
                return getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *(name for module in _of_lessons() for name in module.__all__)]


def _of_lessons() -> Iterator[ModuleType]:
    for file in sorted(LESSONS.glob("*/pictures.py")):
        yield importlib.import_module(f"..lessons.{file.parent.name}.pictures", __name__)
