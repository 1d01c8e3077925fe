import pytest
import torch

from transformer import merge_heads, split_heads


def test_head_h_holds_its_slice_of_the_features():
    x = torch.randn(2, 5, 12)
    heads = split_heads(x, 3)
    assert heads.shape == (2, 3, 5, 4)
    for h in range(3):
        torch.testing.assert_close(heads[:, h], x[:, :, 4 * h : 4 * (h + 1)], rtol=0, atol=0)


@pytest.mark.parametrize("num_heads", [1, 3, 12])
def test_merging_undoes_splitting(num_heads):
    x = torch.randn(2, 5, 12)
    assert torch.equal(merge_heads(split_heads(x, num_heads)), x)


def test_inputs_need_not_be_contiguous():
    x = torch.randn(5, 2, 12).transpose(0, 1)
    assert torch.equal(merge_heads(split_heads(x, 4).contiguous()), x)


def test_sentences_and_positions_may_be_none():
    assert split_heads(torch.zeros(0, 5, 12), 3).shape == (0, 3, 5, 4)
    assert merge_heads(torch.zeros(2, 3, 0, 4)).shape == (2, 0, 12)
