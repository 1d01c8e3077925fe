import torch
from torch import nn

from transformer import PositionwiseFeedForward


def test_equals_equation_2():
    x = torch.randn(2, 3, 4, dtype=torch.float64)
    network = PositionwiseFeedForward(4, 7, dropout=0.0).double()
    w_1, b_1, w_2, b_2 = network.parameters()
    expected = (x @ w_1.T + b_1).clamp(min=0) @ w_2.T + b_2
    torch.testing.assert_close(network(x), expected)


def test_each_position_is_transformed_alone():
    x = torch.randn(2, 3, 4)
    network = PositionwiseFeedForward(4, 7).eval()
    torch.testing.assert_close(network(x)[:, 1], network(x[:, 1]))


def test_dropout_acts_between_the_layers():
    network = PositionwiseFeedForward(4, 7, dropout=1.0)
    output = network(torch.randn(2, 3, 4))
    torch.testing.assert_close(output, network.w_2.bias.expand_as(output))


def test_dropout_acts_on_what_relu_returns():
    network = PositionwiseFeedForward(4, 7)
    seen = []
    network.dropout = nn.Identity()
    network.dropout.register_forward_hook(lambda module, inputs, output: seen.append(output))
    network(torch.randn(2, 3, 4))
    assert len(seen) == 1 and seen[0].shape == (2, 3, 7) and (seen[0] >= 0).all()
