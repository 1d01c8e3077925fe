"""Roundabout ways to torch's own version of an exercise: each is refused, or told of.

Each section of a file in `builtin_bypasses/` answers one component of that lesson, all others are
answered rightly; `sections.py` tells the form. The section "at the end of each answer" is put
there.
"""

import functools
from pathlib import Path

import pytest
from the_course import COURSE

from autograder.grading import bypass_remarks
from autograder.grading.run.grader import CellGrader
from autograder.judging.judge import TestResult
from autograder.reports.report import needs_a_person
from autograder.results.remarks import Remark
from autograder.results.submission import SubmissionResult
from autograder.sandbox.choose_sandbox import SandboxUnavailable
from autograder.sandbox.job import Cell
from autograder.sandbox.limits import Limits
from autograder.sandbox.runner import Runner

from .sections import ANSWER, sections

pytestmark = pytest.mark.xdist_group("builtin_bypasses")
FILES = {
    path.stem: path for path in sorted(Path(__file__).with_name("builtin_bypasses").glob("*.py"))
}
END = "at the end of each answer"


WAYS = [
    (lesson, name) for lesson, path in FILES.items() for name in sections(path)
    if name not in ("", END)
]  # fmt: skip


@pytest.fixture(scope="module")
def runner():
    try:
        runner = Runner("auto", Limits(seconds=40, step=15))
    except SandboxUnavailable:
        runner = Runner("none", Limits(seconds=40, step=15))
    with runner:
        yield runner


@pytest.fixture(scope="module")
def grader_of(runner):
    @functools.cache
    def of(lesson: str) -> CellGrader:
        grader = CellGrader(COURSE.lesson(lesson), "a secret", None)
        grader.prepare(runner)
        return grader

    return of


def cells_of(lesson, name: str) -> list[Cell]:
    parts = sections(FILES[lesson.id])
    component, _, _ = name.partition(": ")
    assert component in lesson.components
    before, _, answer = parts[name].rpartition(ANSWER)
    own = [Cell("first", "added", parts[""]), Cell("before", "added", before)]
    sources = {name: one.source for name, one in lesson.components.items()}
    sources[component] = f"{answer}\n{parts[END]}"
    return [*own, *(Cell(name, "answer", source) for name, source in sources.items())]


def graded(grader: CellGrader, cells: list[Cell], runner: Runner) -> SubmissionResult:
    result = grader.result(cells, runner)
    return SubmissionResult(
        "student", grader.lesson.id, 10, tuple(TestResult(**one) for one in result["test_results"]),
        remarks=tuple(Remark(**one) for one in result["remarks"]),
    )  # fmt: skip


def test_every_lesson_that_refuses_something_has_its_ways_here():
    refusing = [
        lesson.id
        for lesson in COURSE.lessons
        if any(component.forbidden for component in lesson.components.values())
    ]
    remedy = "give each lesson with `forbidden` a file of ways around it, by its name, in"
    assert list(FILES) == refusing, f"{remedy} tests/grader/sandbox/builtin_bypasses"
    assert sum(lesson == "01-attention" for lesson, _ in WAYS) >= 20


@pytest.mark.parametrize("lesson, name", WAYS)
def test_a_way_around_is_refused_or_told_of(lesson, name, grader_of, runner):
    grader = grader_of(lesson)
    one = graded(grader, cells_of(grader.lesson, name), runner)
    component, _, _ = name.partition(": ")
    of = [test_result for test_result in one.test_results if test_result.component == component]
    assert all(v.status == "passed" for v in one.test_results if v not in of)
    if all(test_result.status != "blocked" for test_result in of):
        assert one.remarks and needs_a_person(one)
        assert all(remark.text in one.message for remark in one.remarks)


def test_the_reference_earns_all_points_without_a_remark(grader_of, runner):
    for lesson in FILES:
        grader = grader_of(lesson)
        components = grader.lesson.components.items()
        cells = [Cell(name, "answer", component.source) for name, component in components]
        one = graded(grader, cells, runner)
        assert (one.status, one.remarks) == ("passed", ())


def test_a_right_answer_causes_no_remark():
    for lesson in COURSE.lessons:
        components = lesson.components.values()
        cells = [
            Cell(component.name, "answer", source)
            for component in components
            for source in (
                component.source, component.released, *(answer.source for answer in component.right)
            )
        ]  # fmt: skip
        forbidden = {component.name: component.forbidden for component in components}
        assert bypass_remarks.remarks(cells, forbidden) == []


FORBIDDEN = {"attention": ("torch.nn.functional.scaled_dot_product_attention",)}
HARMLESS = """
import gc, re, sys, os, collections
from torch.optim.lr_scheduler import _LRScheduler
print(sys.version, os.getcwd(), getattr(nn, "Linear"), getattr(self, f"w_{role}"))
pattern = re.compile("a")
layer.eval(); gc.collect(); torch.save(layer.state_dict(), "x"); torch.load("x")
for module in layer.modules(): module._parameters
settings = {"ops": 1, "library": 2}; settings["ops"]; jit = fork = 3
%matplotlib inline
!pip list
"""


def test_everyday_code_causes_no_remark():
    assert bypass_remarks.remarks([Cell("own", "added", HARMLESS)], FORBIDDEN) == []


@pytest.mark.parametrize(
    "source",
    [
        "import torch as t\nt._C",
        "t = torch\nt.multiprocessing.spawn(f)",
        "match torch:\n    case object(_C=c): pass",
        "vars(torch).get('_C')",
        "layer._sa_block(x)",
        "from torch import _C as c",
        "import torch.jit as j",
        "getattr(torch, '_C')",
        "from operator import attrgetter\nattrgetter('ops.aten')(torch)",
        "getattr(torch, 'o' + 'ps')",
        "vars(torch)[name]",
        "torch.__dict__['_C']",
        "globals()[name]",
        "from os import *",
        "import multiprocessing.connection",
        "__import__('ctypes')",
        "eval('1')",
        "torch.ｊｉｔ.script",
        "%time torch._C._nn",
        "x = !ls\ntorch.jit.script(f)",
        "torch.load(file, weights_only=False)",
        "f = F._something",
        "F.scaled_dot_product_attention(q, k, v)",
        "from torch.nn.functional import scaled_dot_product_attention as f",
        "import timeit\ntimeit.timeit('f()', number=1)",
        "get_ipython().run_cell_magic('timeit', '', 'f()')",
    ],
)
def test_a_way_past_the_refusal_is_found_in_the_source(source):
    (told,) = bypass_remarks.remarks([Cell("own", "added", source)], FORBIDDEN)
    assert told.text.startswith("Look at the code: a cell that the student added uses ")


def test_a_remark_is_short_whatever_the_code_names():
    source = "\n".join(f"torch._{'a' * 5000}{number}" for number in range(50))
    (told,) = bypass_remarks.remarks([Cell("attention", "answer", source)], FORBIDDEN)
    assert len(told.text) < 1000


@pytest.mark.parametrize(
    "source",
    [
        "import builtins",
        "from transformer_workbook.shared import obligations",
        "import transformer_workbook.lessons.masks.standins",
        "wb.submission",
        "import transformer_workbook as w\nw.use.__closure__",
        "class A:\n    def __init_subclass__(cls): pass",
        "x = {'__init_subclass__': 1}",
        "import sys\nsys.meta_path[0].stand_ins",
        "import gc\ngc.get_objects()",
        "import autograder",
        "exec('x = 1')",
        "import attention_of_torch",
        "from . import attention",
        "import code",
        "import joblib",
        "from unittest import mock",
        "import sys as s\ns.path.append('x')",
        "from sys import path",
        "o = os\no.system('x')",
        "g = getattr",
        "for look in (vars,): look(torch)",
        "globals().get('x')",
        "vars().get('x')",
        "compile",
    ],
)
def test_what_leads_to_the_code_that_measures_is_told_in_every_lesson(source):
    for forbidden in ({}, {"noam_lr": ()}, FORBIDDEN):
        (told,) = bypass_remarks.remarks([Cell("own", "added", source)], forbidden)
        assert told.text.startswith("Look at the code: a cell that the student added uses ")


def test_where_nothing_is_refused_torchs_own_functions_are_no_remark():
    source = "model = torch.compile(model); torch._C; import torch.fx\nF._something"
    assert bypass_remarks.remarks([Cell("own", "added", source)], {}) == []


def test_what_cannot_be_searched_has_a_remark():
    huge, deep = "x\n" * 20_000_000, "x = y" + ".z" * 200_000
    for source in (huge, deep):
        (told,) = bypass_remarks.remarks([Cell("own", "added", source)], FORBIDDEN)
        assert told.key == "not_searched"


def test_a_way_is_found_in_code_that_is_larger_or_deeper_than_answers_are():
    for padding in ("# \n" * 60_000, "x = 1" + " + 1" * 600 + "\n"):
        (told,) = bypass_remarks.remarks([Cell("own", "added", f"{padding}torch.ops")], FORBIDDEN)
        assert told.key == "own"
