"""Two tiny lessons with runners; submissions of the warm-up, broken ones too; a class of them."""

import contextlib
import copy
import importlib
import json
import py_compile
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import nbformat
import pytest
import torch
from hostile.markup import SCRIPT
from the_course import COURSE

import transformer_workbook
from autograder.commands.grade import grade
from autograder.commands.request import Request
from autograder.grading.run import local
from autograder.lesson.course import Course
from autograder.lesson.lesson import Lesson
from autograder.lesson.notebook import student_notebook
from autograder.results.submission import SubmissionResult
from autograder.sandbox.choose_sandbox import SandboxUnavailable, choose
from autograder.sandbox.job import Cell, Job, Plan, ProbeCall
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner
from autograder.sandbox.server_process import started_ahead

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


@pytest.fixture(scope="session", autouse=True)
def _course_is_read_once():
    """Commands read it each time, which takes longer than to grade a few submissions again."""
    with pytest.MonkeyPatch.context() as patch:
        for command in ("grade", "export", "collect"):
            module = importlib.import_module(f"autograder.commands.{command}")
            patch.setattr(module, "read_course", lambda: COURSE)
        yield


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
        shutil.copytree(Path(transformer_workbook.__path__[0]) / "shared", package / "shared")
        for name, source in STAND_INS.items():
            (package / "lessons" / name).mkdir(parents=True, exist_ok=True)
            (package / "lessons" / name / "standins.py").write_text(source)
        stand_ins = package / "lessons" / "sums" / "standins.py"
        self.compiled_stand_ins = Path(py_compile.compile(str(stand_ins), doraise=True))
        (package / "lessons" / "sums" / "probes.py").write_text(PROBES)

    def job(self, cells, plans=None, **more) -> Job:
        """A job of `cells`: {name: source}, or Cells. Each answer is called with 1, 2, 3."""
        if isinstance(cells, dict):
            cells = [Cell(name, "answer", source) for name, source in cells.items()]
        if plans is None:
            answers = [cell.name for cell in cells if cell.kind == "answer"]
            plans = [self.plan(name) for name in answers]
        return Job(self.lesson, cells, plans, self.stand_ins, **more)

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


@pytest.fixture(scope="module")
def one_runner():
    """One process that runs students' code, for all tests of a module: starting one takes time."""
    with Runner("none") as runner, pytest.MonkeyPatch.context() as patch:
        patch.setattr(local, "Runner", lambda *_, **__: contextlib.nullcontext(runner))
        yield


SEED = "the seed of the tests"


@pytest.fixture(scope="session")
def course() -> Course:
    return COURSE


@pytest.fixture(scope="session")
def sandbox() -> str:
    """The best there is here."""
    try:
        return choose("auto")
    except SandboxUnavailable:
        return "none"


@pytest.fixture(scope="session")
def lesson(course) -> Lesson:
    return course.lesson("00-warm-up")


class Hand:
    """Makes what students hand in, of one lesson."""

    def __init__(self, course: Course, lesson: Lesson, language: str = "en"):
        self.lesson = lesson
        self._released = student_notebook(course, lesson, language=language)
        self.right = {name: one.source for name, one in lesson.components.items()}
        self.components = list(lesson.components)

    @property
    def released(self) -> nbformat.NotebookNode:
        return copy.deepcopy(self._released)

    def filled(self, answers: dict[str, str] | None = None) -> nbformat.NotebookNode:
        """The notebook with answers in it: the right ones, but for those given."""
        notebook = self.released
        answers = self.right | (answers or {})
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = answers.get(grade_id, cell.source)
        return notebook

    def wrong(self, component: str) -> nbformat.NotebookNode:
        answer = self.lesson.components[component].wrong[0]
        return self.filled({component: answer.source})

    def everyday(self) -> nbformat.NotebookNode:
        """All right, with 30 MB of pictures and a form feed in each answer."""
        notebook = self.filled({name: f"\f\n{code}" for name, code in self.right.items()})
        picture = {"image/png": "A" * 10**7}
        output = {"output_type": "display_data", "metadata": {}, "data": picture}
        notebook.cells[-1] = nbformat.v4.new_code_cell("show()", outputs=[output] * 2)
        notebook.cells[0].attachments = {"pasted.png": picture}
        return notebook

    def put(self, folder: Path, student: str, notebook, name: str = "") -> Path:
        """Write a notebook (or bytes) where a student's submission belongs."""
        path = folder / student / self.lesson.id / (name or f"{self.lesson.name}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(notebook, bytes):
            notebook = json.dumps(notebook).encode()
        path.write_bytes(notebook)
        return path


@pytest.fixture(scope="session")
def hand(course, lesson) -> Hand:
    return Hand(course, lesson)


@dataclass
class GradedClass:
    submitted: Path
    out: Path
    graded: dict[str, SubmissionResult]


@pytest.fixture(scope="session")
def graded_class(hand, tmp_path_factory) -> GradedClass:
    """A small class, graded once; nothing may write to it afterwards."""
    folder = tmp_path_factory.mktemp("class")
    submitted, out = folder / "submitted", folder / "Term 1? 100%20"
    first, second = hand.components[:2]
    hand.put(submitted, "Amina", hand.filled())
    hand.put(submitted, "Diego", hand.wrong(first))
    hand.put(submitted, "Empty", hand.released)
    hand.put(submitted, "Cut", json.dumps(hand.filled()).encode()[:1500])
    hostile = hand.filled(
        {second: f"def {second}(x):\n    raise ValueError({SCRIPT!r})  # {SCRIPT}\n"}
    )
    question = next(
        cell for cell in hostile.cells
        if cell.cell_type == "markdown" and cell.metadata.get("nbgrader")
    )  # fmt: skip
    question.source = (
        f"{SCRIPT}\n\n<img src=x onerror=alert(1)> [link](javascript:alert(1)) if $a<b$ then"
    )
    hand.put(submitted, "=cmd <b>bold", hostile)
    hand.put(submitted, "[a-z]*", hand.filled(), f"{hand.lesson.name} (1).ipynb")
    hand.put(submitted, "Everyday", hand.everyday(), f"{hand.lesson.name} (1).ipynb")
    hand.put(submitted, "Everyday", hand.released)
    (submitted / "Nobody").mkdir()
    (submitted / "Lost" / "99-nothing").mkdir(parents=True)
    request = Request(submitted, out, sandbox="none", secret=SEED, jobs=2)
    return GradedClass(submitted, out, {result.student: result for result in grade(request)})
