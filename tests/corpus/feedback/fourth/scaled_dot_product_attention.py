# %% wrong: softmax_over_queries | TRUE CAUSE: the softmax runs over the axis of the queries (-2), so columns sum to 1 instead of rows
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-2)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: divided_by_d_k | TRUE CAUSE: the scores are divided by d_k itself, not by its square root
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / d_k  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: scaled_by_number_of_keys | TRUE CAUSE: the scale is the root of the number of keys, T_k, instead of the number of features d_k
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = key.size(-2)
    scores = torch.matmul(query, key.mT) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights


# %% wrong: mask_without_not | TRUE CAUSE: the ~ is missing: masked_fill writes the low score where the key may be seen, so just the visible keys are hidden
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: mask_multiplied | TRUE CAUSE: the scores are multiplied by the mask, so a hidden score is 0, a score like any other, and the key still gets weight
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores * mask  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: masked_after_softmax | TRUE CAUSE: the mask is applied to the weights after the softmax, so the rows with hidden keys no longer sum to 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / query.size(-1) ** 0.5
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights


# %% wrong: fixed_axes_of_the_keys | TRUE CAUSE: the keys' axes 1 and 2 are swapped, counted from the front, which is right for (N, T, d_k) alone: with heads, (N, H, T, d_k), or without a batch, other axes are swapped or there is none
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(1, 2) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)  # blank: masked
    weights = scores.softmax(-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: minus_infinity | TRUE CAUSE: hidden scores become -inf instead of the lowest finite number, so a row that sees no key is nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == False, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)
    return output, weights


# %% wrong: query_scaled_in_place | TRUE CAUSE: /= scales the caller's query in place, so it is changed after the call (the returned numbers are right)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    query /= math.sqrt(d_k)
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights


# %% wrong: own_exp_and_no_scale | TRUE CAUSE: two mistakes: the scores are not scaled by the root of d_k, and the softmax is written with exp, which overflows for large scores (and makes a row that sees no key nan)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    powers = scores.exp()
    weights = powers / powers.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights
