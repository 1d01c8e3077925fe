"""Attention in two halves, and a cache between them: no key or value is computed twice."""

import torch
from torch.nn import functional as F

from transformer.tensor_moves import merge_heads, split_heads


class KeyValueCache:
    """The keys and values of all positions that an attention has read, at most max_len.

    There is room for them from the first call on, (N, H, max_len, d_k) each, and the first
    `length` places hold some.
    """

    def __init__(self, max_len):
        self.max_len = max_len
        self.length = 0
        self.keys = self.values = None

    def append(self, keys, values):
        """Write those of the next positions, (N, H, T, d_k), and return all that are there."""
        if self.keys is None:
            batch, num_heads, _, d_k = keys.shape
            self.keys = keys.new_zeros(batch, num_heads, self.max_len, d_k)
            self.values = torch.zeros_like(self.keys)
        end = self.length + keys.size(2)
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]

    def reorder(self, rows):
        """Give each row of the batch the keys and values of another: row n those of rows[n]."""
        for room in (self.keys, self.values):
            room[:, :, : self.length] = room[rows, :, : self.length]


def keys_and_values(attention, x):
    """What attention can keep of x, (N, T, D): its keys and values, (N, H, T, d_k)."""
    keys = split_heads(attention.w_k(x), attention.num_heads)
    values = split_heads(attention.w_v(x), attention.num_heads)
    return keys, values


def attend(attention, query, keys, values, mask=None):
    """What an attention finds for vectors query, (N, T_q, D): the other half of its work.

    keys and values, (N, H, T_k, d_k), are those that keys_and_values returns.
    """
    asked = split_heads(attention.w_q(query), attention.num_heads)  # (N, H, T_q, d_k)
    heads = F.scaled_dot_product_attention(asked, keys, values, mask)
    output = attention.w_o(merge_heads(heads))  # (N, T_q, D)
    return output


def cached_layer(layer, x, cache, mask=None, memory=None, memory_mask=None):
    """What a layer makes of the next positions x, (N, T, D), which see those in the cache.

    A DecoderLayer is given the keys and values of its memory; an EncoderLayer has none.
    """

    def self_attention(y):
        keys, values = cache.append(*keys_and_values(layer.self_attn, y))
        return attend(layer.self_attn, y, keys, values, mask)

    def cross_attention(y):
        keys, values = memory
        rows = y.reshape(keys.size(0), -1, y.size(2))  # all rows of one source ask together
        return attend(layer.cross_attn, rows, keys, values, memory_mask).view_as(y)

    x = layer.sublayers[0](x, self_attention)
    if memory is not None:
        x = layer.sublayers[1](x, cross_attention)
    x = layer.sublayers[-1](x, layer.feed_forward)
    return x
