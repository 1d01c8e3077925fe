"""The probes of lessons that have none of their own."""

import pytest
import torch
from torch import nn

from transformer_workbook.shared.probes import of_function, of_module, of_new_module


class Scaled(nn.Module):
    def __init__(self, size, factor=1.0, is_detached=False):
        super().__init__()
        self.gain, self.factor = nn.Parameter(torch.ones(size)), factor
        self.is_detached = is_detached

    def forward(self, x):
        scale = x.detach() if self.is_detached else x
        return self.factor * scale * x * self.gain


def test_a_module_is_made_of_what_is_no_tensor_and_its_gradients_are_told():
    x = torch.arange(6.0, dtype=torch.float64).reshape(2, 3)
    whole, detached = (
        of_module(Scaled, x=x.clone(), size=3, is_detached=is_detached)
        for is_detached in (False, True)
    )
    assert whole["parameters"] == ["gain (3,)"] and whole["output"].dtype == torch.float64
    assert whole["output"].equal(detached["output"]) and not whole["output"].equal(x * x)
    assert whole["x.grad"].allclose(2 * detached["x.grad"]) and whole["x.grad"].any()
    assert whole["gain.grad"].any()
    assert list(of_new_module(Scaled, size=3, x=x)) == ["output"]
    assert of_new_module(Scaled, size=3, x=x)["output"].equal(x * x)


@pytest.mark.parametrize(
    ("function", "names"),
    [
        (lambda x, n: x * n, ["output", "x.grad"]),
        (lambda x, n: (x * n, x), ["output", "output 2", "x.grad"]),
        (lambda x, n: x > n, ["output"]),
    ],
)
def test_a_function_s_results_are_told_and_gradients_where_there_are_any(function, names):
    assert list(of_function(function, x=torch.ones(2, 3), n=2)) == names
