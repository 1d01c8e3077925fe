# %% wrong: scale_is_d_k | TRUE CAUSE: the scores are divided by d_k instead of by its square root.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = (query @ key.transpose(-2, -1)) / d_k  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: softmax_over_the_queries | TRUE CAUSE: the softmax runs over the queries (dim=-2), so columns sum to 1 and not the rows; each query should share its weight out among the keys.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-1, -2) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-2)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: hidden_scores_become_zero | TRUE CAUSE: hidden scores are set to 0 instead of to lowest, and e^0 is 1: a score of 0 is a score like any other, so nothing is hidden.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-1, -2) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, 0.0)  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: mask_where_it_may_be_seen | TRUE CAUSE: the ~ is forgotten, so the keys that may be seen are hidden and the hidden ones are seen.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-1, -2) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: mask_after_the_softmax | TRUE CAUSE: the mask is applied to the weights after the softmax, so the weights that are left no longer sum to 1.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = math.sqrt(query.size(-1))
    weights = F.softmax(query @ key.transpose(-2, -1) / scale, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: axes_counted_from_the_front | TRUE CAUSE: the axes are counted from the front (transpose(1, 2), softmax dim=2), which is right for (N, T, d) only; with a head axis, or without a batch, other axes are meant.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.shape[-1]
    scores = torch.matmul(query, key.transpose(1, 2)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = scores.softmax(dim=2)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights

# %% wrong: masked_with_minus_infinity | TRUE CAUSE: hidden scores are set to minus infinity, so a row in which every key is hidden becomes nan instead of uniform.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1)
    scores = scores / query.size(-1) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: dropout_on_the_output | TRUE CAUSE: dropout is called with the output instead of with the weights that multiply the values.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    output = weights @ value
    if dropout is not None:
        output = dropout(output)
    return output, weights

# %% wrong: two_own_softmax_and_scale_of_the_keys | TRUE CAUSE: two mistakes: the softmax is written with an exp of its own, which overflows for large scores, and the scores are divided by the root of the number of keys instead of by the root of d_k.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1)  # (..., T_q, T_k)
    scores = scores / math.sqrt(key.size(-2))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = torch.exp(scores)
    weights = powers / powers.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights
