"""A notebook in miniature: cells that are run as a kernel runs them, in a home of their own."""

import linecache
import signal
import sys
import types

import pytest

from transformer_workbook.checks import hints, session
from transformer_workbook.own_code import store

START = """
import math

import torch
from torch import nn
from torch.nn import functional as F

import transformer_workbook as wb
"""


class Notebook:
    """Runs cells one after the other in one namespace."""

    def __init__(self):
        self.module = types.ModuleType("__main__")
        self.names = self.module.__dict__
        self.count = 0

    def run(self, source: str) -> None:
        self.count += 1
        file = f"<cell {self.count}>"
        linecache.cache[file] = (len(source), None, source.splitlines(True), file)
        exec(compile(source, file, "exec"), self.names)


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBOOK_HOME", str(tmp_path))
    notebook = Notebook()
    monkeypatch.setitem(sys.modules, "__main__", notebook.module)
    for module in ("checks.answer", "checks.last_check", "checks.hints", "own_code.store"):
        name = f"transformer_workbook.{module}.notebook_namespace"
        monkeypatch.setattr(name, lambda: notebook.names)
    monkeypatch.setattr(session, "_lesson", None)
    store._loaded.clear()
    hints._rungs.clear()
    hints._invited.clear()
    notebook.run(START)
    return notebook


@pytest.fixture
def ordinary_interrupts():
    """What earlier tests of this process, or the shell that began it, made of SIGINT is undone."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
