"""A layer of Llama: what is rotated, and what heads share. Its cache: test_causal_lm.py."""

import pytest
import torch
from torch.nn import functional as F

import transformer

D, HEADS, KEYS = 24, 6, 2


@pytest.fixture
def attention():
    torch.manual_seed(0)
    return transformer.GroupedQueryAttention(D, HEADS, KEYS).double()


def test_rotated_scores_depend_on_the_distance_alone():
    torch.manual_seed(0)
    query, key = torch.randn(2, 6, dtype=torch.float64)
    scores = transformer.apply_rotary(query.expand(7, 6)) @ (
        transformer.apply_rotary(key.expand(7, 6)).T
    )
    torch.testing.assert_close(scores[:-1, :-1], scores[1:, 1:])
    torch.testing.assert_close(
        transformer.apply_rotary(query.expand(7, 6)).norm(dim=-1), query.norm().expand(7)
    )


def test_what_is_rotated_keeps_its_dtype():
    x = torch.ones(2, 3, 6, dtype=torch.bfloat16)
    assert transformer.apply_rotary(x).dtype == x.dtype


def test_each_group_of_heads_has_one_key_and_one_value_as_in_torchs_kernel(attention):
    x = torch.randn(1, 4, D, dtype=torch.float64)
    query, key, value = (
        transformer.split_heads(linear(x), heads)
        for linear, heads in (
            (attention.w_q, HEADS), (attention.w_k, KEYS), (attention.w_v, KEYS),
        )
    )  # fmt: skip
    query, key = transformer.apply_rotary(query), transformer.apply_rotary(key)
    heads = F.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
    expected = attention.w_o(transformer.merge_heads(heads))
    torch.testing.assert_close(attention(x, transformer.causal_mask(4)), expected)
