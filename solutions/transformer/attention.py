"""Scaled dot-product attention, section 3.2.1."""

import math

import torch


def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike, or none.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights
