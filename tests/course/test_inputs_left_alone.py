"""The check of each component sees what is written into an argument, be it through a view."""

import functools
import inspect

import pytest

import transformer
from transformer_workbook.checks.trial import evidence_of
from transformer_workbook.diagnosis.case_results import assess
from transformer_workbook.diagnosis.recorded_lessons import recorded

# Those that are told which token is padding, and the arguments that hold tokens.
WITH_PADDING = [
    ("06-masks", "padding_mask", "ids"),
    ("06-masks", "target_mask", "ids"),
    ("08-full-model", "Transformer", "src"),
    ("08-full-model", "Transformer", "tgt"),
    ("09-training", "LabelSmoothing", "target"),
    ("12-fused-parts", "FusedLabelSmoothing", "target"),
    ("14-decoder-only", "next_token_loss", "ids"),
]
# A view of contiguous numbers, a copy of others.
VIEWS = {
    "reshape": lambda tensor: tensor.reshape(-1),
    "flatten": lambda tensor: tensor.flatten(),
    "contiguous": lambda tensor: tensor.contiguous(),
}


def findings(lesson: str, name: str, component) -> list:
    namespace = {**vars(transformer), name: component}
    evidence = evidence_of(lesson, name, namespace, component)
    cases = recorded(lesson, name)
    return [r.findings for r in assess(cases.expected, cases.misconceptions, evidence).values()]


def spoiling(function, parameter: str, view):
    """The function; when it has returned, the padding in one argument is 0."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def spoiled(*args, **kwargs):
        result = function(*args, **kwargs)
        given = signature.bind(*args, **kwargs).arguments
        pad_id = given["pad_id"] if "pad_id" in given else given["self"].pad_id
        tokens = view(given[parameter])
        tokens[tokens == pad_id] = 0
        return result

    return spoiled


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("lesson", "name", "parameter"), WITH_PADDING)
def test_padding_overwritten_through_a_view_is_seen(lesson, name, parameter, view):
    component = getattr(transformer, name)
    if inspect.isclass(component):
        forward = spoiling(component.forward, parameter, VIEWS[view])
        component = type(name, (component,), {"forward": forward})
    else:
        component = spoiling(component, parameter, VIEWS[view])
    assert any(findings(lesson, name, component))
