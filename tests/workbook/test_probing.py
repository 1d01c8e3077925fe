"""Probes bring back evidence, whatever the component returned."""

import pytest
import torch

from transformer_workbook.probing import gradients


@pytest.mark.parametrize("output", [None, 1.5, (torch.ones(2),)])
def test_what_is_no_tensor_has_no_gradients(output):
    x = torch.ones(2, requires_grad=True)
    assert gradients(output, {"x": x}) == {"x.grad": None}
