"""The notebook that is running: its shell, the namespace of the student's cells, its imports."""

import sys
from types import FrameType
from typing import Any

PACKAGE = "transformer_workbook"

# What every notebook has imported.
NOTEBOOK_IMPORTS = """\
import math
import sys

import torch
from torch import nn
from torch.nn import functional as F
"""


def notebook_namespace() -> dict[str, Any]:
    """The globals of the student's cells; without IPython, those of the caller."""
    shell = running_shell()
    if shell is not None:
        cells: dict[str, Any] = shell.user_ns
        return cells
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(PACKAGE):
        frame = frame.f_back
    return frame.f_globals if frame is not None else {}


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this, so that HTML is shown."""
    return getattr(running_shell(), "kernel", None) is not None


def running_shell() -> Any:
    """IPython's shell; None where none is running."""
    if "IPython" not in sys.modules:
        return None
    return sys.modules["IPython"].get_ipython()
