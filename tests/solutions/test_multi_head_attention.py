import copy

import pytest
import torch

from transformer import MultiHeadAttention

N, T_Q, T_K, D, H = 2, 4, 5, 12, 3


@pytest.fixture
def ours():
    return MultiHeadAttention(D, H, dropout=0.0).double()


def inputs():
    generator = torch.Generator().manual_seed(0)
    return [
        torch.randn(N, length, D, generator=generator, dtype=torch.float64, requires_grad=True)
        for length in (T_Q, T_K, T_K)
    ]


def test_equals_torch_in_cross_attention_with_padding(ours, counterpart, assert_same_gradients):
    theirs = counterpart(ours)
    real = torch.tensor([[True] * T_K, [True] * 3 + [False] * 2])
    our_inputs, their_inputs = inputs(), inputs()

    our_output = ours(*our_inputs, real[:, None, None, :])
    their_output, their_weights = theirs(
        *their_inputs, key_padding_mask=~real, average_attn_weights=False
    )
    torch.testing.assert_close(our_output, their_output)
    torch.testing.assert_close(ours.weights, their_weights.detach())

    our_output.square().sum().backward()
    their_output.square().sum().backward()
    for our, their in zip(our_inputs, their_inputs, strict=True):
        torch.testing.assert_close(our.grad, their.grad)
    assert_same_gradients(ours, theirs)


def test_each_head_may_have_its_own_mask(ours):
    mask = torch.ones(1, H, T_Q, T_K, dtype=torch.bool)
    mask[:, 1, :, 2] = False
    ours(*inputs(), mask)
    assert ours.weights.shape == (N, H, T_Q, T_K)
    assert (ours.weights[:, 1, :, 2] == 0).all()
    assert (ours.weights[:, [0, 2], :, 2] > 0).all()


def test_dropout_acts_on_the_weights_alone():
    attention = MultiHeadAttention(D, H, dropout=1.0).double()
    output = attention(*inputs())
    torch.testing.assert_close(output, attention.w_o.bias.expand_as(output))
    attention.eval()
    assert not torch.allclose(attention(*inputs()), output)


def test_can_be_copied_after_use(ours):
    ours(*inputs())
    assert torch.equal(copy.deepcopy(ours).weights, ours.weights)
