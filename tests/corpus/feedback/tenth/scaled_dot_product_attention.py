# %% wrong: tiny_positive_fill | TRUE CAUSE: hidden scores are filled with 1e-9, practically 0, rather than with the lowest number, so a hidden key has a score like any other and keeps a weight above 0.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, 1e-9)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: output_before_dropout | TRUE CAUSE: output multiplies the values by a fresh softmax of the scores and not by weights, so what dropout returned never reaches the output, only the returned weights.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = (query @ key.transpose(-2, -1)) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.softmax(scores, dim=-1) @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: own_scales_query | TRUE CAUSE: query /= math.sqrt(d_k) divides the caller's tensor in place, so the first result is right but query is smaller after each call (and a leaf that requires grad raises).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    query /= math.sqrt(query.shape[-1])
    fit = torch.einsum("...id,...jd->...ij", query, key)
    if mask is not None:
        fit = fit.masked_fill(mask.logical_not(), torch.finfo(fit.dtype).min)
    w = F.softmax(fit, dim=-1)
    w = w if dropout is None else dropout(w)
    return torch.einsum("...ij,...jv->...iv", w, value), w

# %% wrong: own_softmax_times_mask | TRUE CAUSE: the hidden keys are taken out by multiplying the exponentials by the mask and dividing by their sum, which is 0 in a row that sees no key, so such a row becomes nan in place of uniform weights.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    root = math.sqrt(key.size(-1))
    scores = torch.matmul(query, key.transpose(-1, -2)) / root
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    if mask is not None:
        powers = powers * mask
    weights = powers / powers.sum(dim=-1, keepdim=True)
    if dropout:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights
