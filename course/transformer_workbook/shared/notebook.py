"""The notebook that is running: its shell, the namespace of the student's cells, its imports."""

import sys

PACKAGE = "transformer_workbook"

# What every notebook has imported.
NOTEBOOK_IMPORTS = """\
import math
import sys

import torch
from torch import nn
from torch.nn import functional as F
"""


def notebook_namespace() -> dict:
    """The globals of the student's cells; without IPython, those of the caller."""
    shell = running_shell()
    if shell is not None:
        return shell.user_ns
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith(PACKAGE):
        frame = frame.f_back
    return frame.f_globals if frame is not None else {}


def in_notebook() -> bool:
    """Whether a Jupyter kernel runs this, so that HTML is shown."""
    return getattr(running_shell(), "kernel", None) is not None


def running_shell():
    """IPython's shell; None where none is running."""
    if "IPython" not in sys.modules:
        return None
    return sys.modules["IPython"].get_ipython()
