"""A course of two tiny lessons, and runners of it."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import transformer_workbook
from autograder.sandbox.choose import SandboxUnavailable
from autograder.sandbox.runner import Runner
from autograder.sandbox.server_process import started_ahead
from autograder.sandbox.work import Cell, Limits, Plan, ProbeCall, Work

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
def normalize(x):
    return (x - x.mean()) / (x.var(correction=0) + 1e-5).sqrt()
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


@pytest.fixture(scope="session", autouse=True)
def _zygote(zygote):
    """Most of these tests run submissions."""


class SmallCourse:
    """Lesson 02-sums with the components scale, shift and offset, after 01-norms."""

    lesson = "02-sums"
    stand_ins = {
        "normalize": "01-norms",
        "scale": "02-sums",
        "shift": "02-sums",
        "offset": "02-sums",
    }
    forbidden = ("torch.nn.LayerNorm",)

    def __init__(self, folder: Path):
        self.folder = folder
        package = folder / "transformer_workbook"
        for name in ("probes", "standins"):
            (package / name).mkdir(parents=True)
            (package / name / "__init__.py").touch()
        shutil.copytree(Path(transformer_workbook.__path__[0]) / "shared", package / "shared")
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
        return Work(self.lesson, cells, plans, self.stand_ins, **more)

    def plan(self, component: str, probe: str = "call", defines: str = "", **inputs) -> Plan:
        if probe != "tell" and not inputs:
            inputs = {"x": torch.tensor([1.0, 2.0, 3.0])}
        call, defines = ProbeCall(component, probe, inputs), defines or component
        own = [name for name, lesson in self.stand_ins.items() if lesson == self.lesson]
        others = [name for name in own if name != defines]
        return Plan(component, defines, [call], self.forbidden, others)


@pytest.fixture(scope="session")
def small_course(tmp_path_factory) -> Iterator[SmallCourse]:
    course = SmallCourse(tmp_path_factory.mktemp("course"))
    with started_ahead(str(course.folder.resolve())):
        yield course


# A machine may be busy: a step has time. What never ends gets less, see `impatient`.
LIMITS = Limits(
    seconds=60, step=10, memory=700 << 20, output=2000, processes=40, evidence=4 << 20
)  # fmt: skip


@pytest.fixture
def impatient(monkeypatch):
    """Makes a runner wait no longer than a test wants to, for this test."""

    def impatient(runner: Runner, step: float = 1.5) -> Runner:
        monkeypatch.setattr(runner, "limits", replace(runner.limits, step=step))
        return runner

    return impatient


@pytest.fixture(scope="session")
def unconfined(small_course):
    """A runner without a sandbox."""
    with Runner("none", LIMITS, course=small_course.folder) as runner:
        yield runner


def _runner_or_reason(kind: str, course):
    try:
        runner = Runner(kind, LIMITS, course=course.folder)
    except SandboxUnavailable as error:
        yield str(error)
    else:
        with runner:
            yield runner


@pytest.fixture(scope="session")
def _default(small_course):
    yield from _runner_or_reason("auto", small_course)


@pytest.fixture(scope="module", params=["namespaces", "bwrap"])
def _each_sandbox(request, small_course):
    yield from _runner_or_reason(request.param, small_course)


@pytest.fixture
def confined(_default) -> Runner:
    """A runner with the sandbox that is the default; skipped where the kernel forbids it."""
    if isinstance(_default, str):
        pytest.skip(_default)
    return _default


@pytest.fixture
def runner(request, _default) -> Runner:
    """The best there is here: for what holds with a sandbox or without."""
    return request.getfixturevalue("unconfined") if isinstance(_default, str) else _default


@pytest.fixture(params=["confined", "unconfined"])
def each_runner(request) -> Runner:
    """Each in turn: for what each has to see to in its own way."""
    return request.getfixturevalue(request.param)
