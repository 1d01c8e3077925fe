# %% wrong: power_before_division | TRUE CAUSE: the blank `scale` is written d_k**1 / 2, where the power binds before the division, so the scores are divided by d_k and then by 2 instead of by the square root of d_k.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / d_k**1 / 2  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: lowest_of_the_scores | TRUE CAUSE: `lowest` is changed to the smallest score that occurs (scores.min()) instead of the lowest number of the dtype, so a hidden key still gets a small weight above 0.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.mT / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = scores.min().item()
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: own_exp_minus_the_largest_of_all | TRUE CAUSE: the softmax of the student's own subtracts the largest score of the whole tensor (.max()) instead of that of each row, so in a row whose keys are all hidden, or whose scores lie far below the largest, every exp is 0 and the row is 0 / 0 = nan.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Eq. 1. Returns the output and the weights."""
    similarity = torch.einsum("...id,...jd->...ij", query, key) / query.shape[-1] ** 0.5
    if mask is not None:
        similarity = torch.where(mask, similarity, torch.finfo(similarity.dtype).min)
    powers = torch.exp(similarity - similarity.max())
    weights = powers / powers.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...ij,...jd->...id", weights, value), weights

# %% wrong: own_scales_the_query_in_place | TRUE CAUSE: `query /= ...` divides the caller's tensor in place instead of making a new one, so the output of this call is right but the query is changed afterwards, a second call with it scales once more, and a leaf with gradients raises.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Eq. 1. Returns the output and the weights."""
    query /= math.sqrt(query.size(-1))
    logits = torch.matmul(query, key.transpose(-1, -2))
    if mask is not None:
        logits = logits.masked_fill(mask.logical_not(), torch.finfo(logits.dtype).min)
    attention = F.softmax(logits, dim=-1)
    attention = attention if dropout is None else dropout(attention)
    return torch.matmul(attention, value), attention
