import pytest
import torch
from torch import nn

from transformer import LayerNorm, SublayerConnection

D = 6


def draw():
    x = torch.randn(2, 3, D, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return (2 * x + 1).requires_grad_()


@pytest.mark.parametrize("eps", [1e-6, 0.5])
def test_layer_norm_equals_torch(counterpart, assert_same_gradients, eps):
    ours = LayerNorm(D, eps).double()
    theirs = counterpart(ours)
    a, b = draw(), draw()
    torch.testing.assert_close(ours(a), theirs(b))
    ours(a).square().sum().backward()
    theirs(b).square().sum().backward()
    torch.testing.assert_close(a.grad, b.grad)
    assert_same_gradients(ours, theirs)


def test_layer_norm_begins_without_scale_and_shift():
    torch.testing.assert_close(
        LayerNorm(D).double()(draw()), nn.LayerNorm(D, 1e-6).double()(draw())
    )


def test_layer_norm_of_a_constant_row_is_beta():
    norm = LayerNorm(D)
    norm.beta.data.fill_(3.0)
    x = torch.full((2, D), 7.0, requires_grad=True)
    norm(x).sum().backward()
    assert (norm(x) == 3).all()
    assert x.grad.isfinite().all()


@pytest.mark.parametrize("norm_first", [False, True])
def test_dropout_acts_on_the_sublayer_before_the_sum(norm_first):
    x, sublayer = draw(), nn.Linear(D, D).double()
    connection = SublayerConnection(D, dropout=1.0, norm_first=norm_first).double()
    expected = x if norm_first else connection.norm(x)
    torch.testing.assert_close(connection(x, sublayer), expected)
