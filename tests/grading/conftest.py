"""A course of two tiny lessons, and runners of it."""

import shutil
from pathlib import Path

import pytest
import torch

import transformer_workbook
from autograder.grading.run import Cell, Limits, Plan, ProbeCall, Runner, Work
from autograder.grading.sandbox import SandboxUnavailable

PROBES = """
import torch

def call(component, x):
    return {"y": component(x)}

def tell(component):
    return {"told": component()}

def gradient(component, x):
    x.requires_grad_()
    component(x).sum().backward()
    return {"grad": x.grad}
"""
STAND_INS = {
    "norms": """
import torch
from torch.nn.functional import layer_norm as _layer_norm

def normalize(x):
    return _layer_norm(x, x.shape[-1:])
""",
    "sums": """
def scale(x):
    return 3 * x

def shift(x):
    return scale(x) + 1

def offset(x):
    return x + 1
""",
    "later": "def finish(x):\n    return x\n",
}


class SmallCourse:
    """Lesson 02-sums with the components scale, shift and offset, after 01-norms."""

    lesson = "02-sums"
    stand_ins = {
        "normalize": "01-norms",
        "scale": "02-sums",
        "shift": "02-sums",
        "offset": "02-sums",
    }
    forbidden = ["torch.nn.functional.layer_norm", "torch.nn.LayerNorm"]

    def __init__(self, folder: Path):
        self.folder = folder
        package = folder / "transformer_workbook"
        for name in ("probes", "standins"):
            (package / name).mkdir(parents=True)
            (package / name / "__init__.py").touch()
        for name in ("data", "evidence", "probing"):
            shutil.copy(Path(transformer_workbook.__path__[0]) / f"{name}.py", package)
        (package / "probes" / "sums.py").write_text(PROBES)
        for name, source in STAND_INS.items():
            (package / "standins" / f"{name}.py").write_text(source)

    def work(self, cells, plans=None, **more) -> Work:
        """Work on `cells`: {name: source}, or Cells. Each answer is called with 1, 2, 3."""
        if isinstance(cells, dict):
            cells = [Cell(name, "answer", source) for name, source in cells.items()]
        if plans is None:
            answers = [cell.name for cell in cells if cell.kind == "answer"]
            plans = [self.plan(name) for name in answers]
        return Work(self.lesson, cells, plans, self.forbidden, self.stand_ins, **more)

    @staticmethod
    def plan(component: str, probe: str = "call", defines: str = "", **inputs) -> Plan:
        if probe != "tell" and not inputs:
            inputs = {"x": torch.tensor([1.0, 2.0, 3.0])}
        return Plan(component, defines or component, [ProbeCall(component, probe, inputs)])


@pytest.fixture(scope="session")
def small_course(tmp_path_factory) -> SmallCourse:
    return SmallCourse(tmp_path_factory.mktemp("course"))


# A step may take long enough for a busy machine, and an endless one not long.
LIMITS = Limits(seconds=30, step=2, memory=700 << 20, output=2000, processes=40)


def _runner(sandbox: str, course: SmallCourse):
    try:
        return Runner(sandbox, LIMITS, course=course.folder)
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def confined(small_course):
    """A runner with the sandbox that is the default; skipped where the kernel forbids it."""
    with _runner("auto", small_course) as runner:
        yield runner


@pytest.fixture(scope="session")
def unconfined(small_course):
    with _runner("none", small_course) as runner:
        yield runner


@pytest.fixture(params=["confined", "unconfined"])
def runner(request):
    """Each way to run: what holds of the one holds of the other."""
    return request.getfixturevalue(request.param)
