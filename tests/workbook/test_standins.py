"""Every stand-in answers as the reference does, and tells nothing of how it is made."""

import importlib
import inspect
from pathlib import Path

import pytest
import torch
from the_course import COURSE
from torch import nn
from torch.nn import functional as F

import transformer
from autograder.lesson.components import definitions
from transformer_workbook import lessons
from transformer_workbook.diagnosis.compare import Expected, compare
from transformer_workbook.shared.probing import find_probe, gather

FOLDER = Path(lessons.__file__).parent
HOMES = {name: places[0][0].stem for name, places in definitions().items()}
# The modules of the reference package that each lesson's stand-ins stand in for; not every lesson
# has stand-ins.
REFERENCE_OF = {
    lesson.module: sorted({HOMES[table["name"]] for table in lesson.data["component"]})
    for lesson in COURSE.lessons
    if (FOLDER / lesson.module / "standins.py").is_file()
}
LESSONS = list(REFERENCE_OF)
SIZES = {"d_model": 12, "num_heads": 3, "d_ff": 20}
SRC = torch.tensor([[3, 4, 5, 6, 7], [8, 9, 3, 0, 0]])
TGT = torch.tensor([[1, 5, 2, 0], [1, 6, 7, 2]])


def standin(component):
    """The stand-in of a reference component."""
    lesson_of = {module: lesson for lesson in LESSONS for module in REFERENCE_OF[lesson]}
    lesson = lesson_of[component.__module__.removeprefix("transformer.")]
    module = importlib.import_module(f"transformer_workbook.lessons.{lesson}.standins")
    return getattr(module, component.__name__)


def reference_modules(lesson):
    return [importlib.import_module(f"transformer.{name}") for name in REFERENCE_OF[lesson]]


def reference(lesson):
    return [
        component
        for module in reference_modules(lesson)
        for component in vars(module).values()
        if getattr(component, "__module__", "") == module.__name__
    ]


def test_each_file_of_stand_ins_belongs_to_a_lesson():
    assert sorted(LESSONS) == sorted(path.parent.name for path in FOLDER.glob("*/standins.py"))


GIVEN = {"cached_beam_search"}  # stands whole in its lesson: nobody has to write it


@pytest.mark.parametrize(
    "component", [c for name in LESSONS for c in reference(name) if c.__name__ not in GIVEN]
)
def test_signatures_are_those_of_the_reference(component):
    other = standin(component)
    assert inspect.signature(other) == inspect.signature(component)
    for name in ("forward", "encode", "decode", "step", "keep"):
        if hasattr(component, name):
            expected = inspect.signature(getattr(component, name))
            assert inspect.signature(getattr(other, name)) == expected


COMPONENTS = [
    pytest.param(lesson, name, id=name)
    for lesson in COURSE.lessons
    if lesson.module in LESSONS
    for name, component in lesson.components.items()
    if not component.is_bug_hunt
]
# A stand-in may do more work than lesson 13 allows.
WORK = {"steps", "positions read", "sources read", "keys computed", "values computed"}
WORK |= {"numbers drawn"}


@pytest.mark.parametrize(("lesson", "name"), COMPONENTS)
def test_each_passes_its_lessons_check(lesson, name):
    component = getattr(transformer, name)
    for case in lesson.visible()[name]:
        expected, actual = (
            gather(find_probe(lesson.id, case.probe), {name: either}, name, case.inputs)
            for either in (component, standin(component))
        )
        findings = compare(actual, Expected(expected, case.rules, case.masks))
        assert not expected.failure
        assert {finding.name for finding in findings} <= WORK, case.name


def test_dropout_is_everywhere_that_the_reference_has_it():
    def rates(component):
        model = component(11, 13, **SIZES, num_layers=2, dropout=0.3)
        return sorted(m.p for m in model.modules() if isinstance(m, nn.Dropout))

    assert rates(standin(transformer.Transformer)) == rates(transformer.Transformer)


@pytest.mark.parametrize(
    "call",
    [
        lambda get: get(transformer.MultiHeadAttention)(10, 3),
        lambda get: get(transformer.DecoderLayer)(10, 3, 20),
        lambda get: get(transformer.Transformer)(11, 13, tie_weights=True),
        lambda get: get(transformer.make_model)(11, 13, positions="rotary"),
    ],
)
def test_what_the_reference_refuses_is_refused(call):
    with pytest.raises(ValueError):
        call(lambda component: component)
    with pytest.raises(ValueError):
        call(standin)


def tiny(component=transformer.make_model, **options):
    torch.manual_seed(0)
    return component(13, 13, **SIZES, **{"num_layers": 1, "dropout": 0.0} | options)


# What they are made of


FORBIDDEN = [
    (F, "scaled_dot_product_attention"),
    (F, "multi_head_attention_forward"),
    (F, "layer_norm"),
    (torch, "layer_norm"),
    (F, "softmax"),
    (torch, "softmax"),
    (torch, "einsum"),
    (nn.LayerNorm, "__init__"),
    (nn.MultiheadAttention, "__init__"),
    (nn.Transformer, "__init__"),
    (nn.TransformerEncoderLayer, "__init__"),
    (nn.TransformerDecoderLayer, "__init__"),
]


def test_stand_ins_work_where_what_is_ready_made_is_forbidden(monkeypatch):
    for lesson in LESSONS:
        importlib.import_module(f"transformer_workbook.lessons.{lesson}.standins")
    expected = tiny(standin(transformer.make_model))(SRC, TGT)

    def forbidden(*args, **kwargs):
        raise AssertionError("ready-made")

    for owner, name in FORBIDDEN:
        monkeypatch.setattr(owner, name, forbidden)
    model = tiny(standin(transformer.make_model))
    torch.testing.assert_close(model(SRC, TGT), expected)
    loss_fn = standin(transformer.LabelSmoothing)(13, 0)
    optimizer = torch.optim.Adam(model.parameters())
    standin(transformer.train_step)(model, (SRC, TGT), loss_fn, optimizer)
    standin(transformer.beam_search)(model, SRC, 4, 1, 2)
