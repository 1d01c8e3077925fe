# %% wrong: where_turned_round | TRUE CAUSE: torch.where(mask, lowest, scores) writes the lowest number where mask is True, so the keys that may be seen are hidden and the hidden ones are looked at
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

# %% wrong: divided_by_the_inverse_root | TRUE CAUSE: the scores are divided by d_k ** -0.5, which multiplies them by the square root of d_k instead of dividing them by it, so the weights are far too sharp when d_k is larger than 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = torch.matmul(query, key.mT) / d_k**-0.5  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)  # (..., T_q, d_v)
    return output, weights

# %% wrong: own_softmax_by_powers | TRUE CAUSE: hidden keys are removed by multiplying the powers with the mask before dividing by their sum, so a row in which every key is hidden becomes 0 / 0 and its weights and output are nan instead of uniform
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    fit = torch.einsum("...qd,...kd->...qk", query, key) / math.sqrt(key.shape[-1])
    powers = torch.exp(fit - fit.amax(dim=-1, keepdim=True))
    if mask is not None:
        powers = powers * mask
    weights = powers / powers.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

# %% wrong: own_keys_as_rows | TRUE CAUSE: the table is laid out with keys as rows and queries as columns, but softmax(dim=-1) still runs over its last axis, the queries, instead of over the keys, so the weights of a query do not sum to 1 and the masked scores compete with other queries
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    table = (key / math.sqrt(key.size(-1))) @ query.transpose(-1, -2)
    if mask is not None:
        hidden = ~mask
        table = table.mT.masked_fill(hidden, torch.finfo(table.dtype).min).mT
    attention = table.softmax(dim=-1).mT
    if dropout is not None:
        attention = dropout(attention)
    return attention @ value, attention
