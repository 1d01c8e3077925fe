# %% wrong: mask_after_softmax | TRUE CAUSE: the mask multiplies the weights after the softmax instead of filling the scores before it, so rows with hidden keys no longer sum to 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    weights = scores.softmax(dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights


# %% wrong: scale_by_length | TRUE CAUSE: the scores are divided by the root of the number of keys T_k (key.size(-2)) instead of the root of d_k
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = key.size(-2)
    scores = torch.einsum("...qd,...kd->...qk", query, key) / d_k**0.5  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = torch.where(mask, scores, lowest)
    weights = F.softmax(scores, -1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)  # (..., T_q, d_v)
    return output, weights


# %% wrong: softmax_by_hand | TRUE CAUSE: two mistakes: the hand-made softmax does not subtract the row's largest score, so exp overflows to inf/inf = nan for large scores, and hidden keys are filled with -inf, so a row that sees no key is 0/0 = nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.matmul(query, key.mT) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), float("-inf"))
    powers = scores.exp()
    weights = powers / powers.sum(dim=-1, keepdim=True)
    dropped = weights if dropout is None else dropout(weights)
    return dropped @ value, weights


# %% wrong: dropout_as_probability | TRUE CAUSE: dropout is a module or function to be called, but it is passed to F.dropout as if it were a probability, which raises a TypeError (crash whenever dropout is given)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    attn = torch.softmax(scores, dim=-1)
    if dropout is not None:
        attn = F.dropout(attn, p=dropout)
    return attn @ value, attn


# %% wrong: scaled_in_place | TRUE CAUSE: to scale, the query is divided in place by the root of d_k, so the caller's own tensor is changed
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    query /= math.sqrt(d_k)  # smaller than the scores, so cheaper
    scores = query @ key.transpose(-2, -1)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights
