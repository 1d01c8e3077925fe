"""A layer of Llama: what it shares, what it keeps, and that a cache changes nothing."""

import math

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


def test_a_piece_is_rotated_as_in_the_whole():
    x = torch.randn(2, 7, 6, dtype=torch.float64)
    later = transformer.apply_rotary(x[:, 3:], start=3)
    torch.testing.assert_close(later, transformer.apply_rotary(x)[:, 3:])


def test_what_is_rotated_keeps_its_dtype():
    x = torch.ones(2, 3, 6, dtype=torch.bfloat16)
    assert transformer.apply_rotary(x).dtype == x.dtype


def test_each_group_of_heads_has_one_key_and_one_value(attention):
    x, d_k = torch.randn(2, 5, D, dtype=torch.float64), D // HEADS
    mask = transformer.causal_mask(5)
    heads = []
    for head in range(HEADS):
        shared = head // (HEADS // KEYS)
        rows, shared_rows = (slice(d_k * place, d_k * (place + 1)) for place in (head, shared))
        query, key = (
            transformer.apply_rotary(x @ linear.weight[of].T)
            for linear, of in ((attention.w_q, rows), (attention.w_k, shared_rows))
        )
        scores = query @ key.mT / math.sqrt(d_k)
        weights = scores.masked_fill(~mask[0, 0], -math.inf).softmax(dim=-1)
        heads.append(weights @ (x @ attention.w_v.weight[shared_rows].T))
    expected = torch.cat(heads, dim=-1) @ attention.w_o.weight.T
    torch.testing.assert_close(attention(x, mask), expected)


def test_the_kernel_groups_alike(attention):
    x = torch.randn(1, 4, D, dtype=torch.float64)
    query, key, value = (
        transformer.split_heads(linear(x), heads)
        for linear, heads in (
            (attention.w_q, HEADS), (attention.w_k, KEYS), (attention.w_v, KEYS),
        )
    )  # fmt: skip
    query, key = transformer.apply_rotary(query), transformer.apply_rotary(key)
    heads = F.scaled_dot_product_attention(query, key, value, enable_gqa=True)
    expected = attention.w_o(transformer.merge_heads(heads))
    torch.testing.assert_close(attention(x), expected)


@pytest.mark.parametrize("lengths", [[7], [4, 3], [3, 1, 1, 1, 1]])
def test_a_layer_reads_a_text_in_pieces_as_at_once(lengths):
    torch.manual_seed(0)
    layer = transformer.LlamaLayer(D, HEADS, KEYS, 20).double()
    x, cache, outputs, start = (
        torch.randn(2, 7, D, dtype=torch.float64),
        transformer.KeyValueCache(7),
        [],
        0,
    )
    for piece in x.split(lengths, dim=1):
        end = start + piece.size(1)
        mask = transformer.causal_mask(end)[:, :, start:]
        outputs.append(layer(piece, mask, start, cache))
        start = end
    expected = layer(x, transformer.causal_mask(7))
    torch.testing.assert_close(torch.cat(outputs, dim=1), expected)
    assert cache.keys.shape == cache.values.shape == (2, KEYS, 7, D // HEADS)
