# %% wrong: where_with_swapped_arguments | TRUE CAUSE: torch.where(mask, lowest, scores) puts the lowest number where the mask is True, so the keys that may be seen are hidden and the hidden ones seen
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = torch.where(mask, lowest, scores)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: divided_by_power_minus_half | TRUE CAUSE: the scores are divided by d_k ** -0.5, which multiplies them by the root of d_k instead of dividing by it
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = (query @ key.transpose(-2, -1)) / d_k**-0.5  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: softmax_dim_1_and_late_dropout | TRUE CAUSE: two mistakes: the softmax runs over dim=1, counted from the front, which is the queries of (N, T_q, T_k) (or the heads), not the keys; and dropout is applied to the weights only after they have multiplied the values
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = torch.softmax(scores, dim=1)
    output = torch.matmul(weights, value)
    if dropout is not None:
        weights = dropout(weights)
    return output, weights
