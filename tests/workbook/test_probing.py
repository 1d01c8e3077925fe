"""Probes bring back evidence, whatever the component returned."""

import pytest
import torch

from transformer_workbook.explain import explain
from transformer_workbook.probing import gather, gradients, named
from transformer_workbook.verdicts import judge


@pytest.mark.parametrize("output", [None, 1.5, (torch.ones(2),)])
def test_what_is_no_tensor_has_no_gradients(output):
    x = torch.ones(2, requires_grad=True)
    assert gradients(output, {"x": x}) == {"x.grad": None}


class Scale:
    wight = torch.ones(2)


def told(probe) -> str:
    """What is told of a Scale, against a reference that the probe likes."""
    of, good = ({"Scale": one} for one in (Scale, type("Scale", (), {"weight": torch.ones(2)})))
    found, reference = (gather(probe, namespace, "Scale", {}) for namespace in (of, good))
    (finding,) = judge(found, reference, {}, {})
    return explain(finding, "Scale")


def test_a_name_that_the_course_fixes_and_the_answer_lacks_is_said_as_such():
    said = told(lambda scale: {"weight": named(scale(), "weight")})
    assert said == (
        "Your Scale has no attribute `weight`, a name that other code counts on. "
        "It has `wight`: was that meant?"
    )
