# %% wrong: scaled_by_the_number_of_keys | TRUE CAUSE: The scale is the square root of key.size(-2), the number of keys T_k, instead of that of d_k, the features of a key, so the scores are too flat or too sharp wherever T_k differs from d_k.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = key.size(-2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights
# %% wrong: renormalized_after_dropout | TRUE CAUSE: The weights are divided by their row sum once more after dropout, in the belief that they must still sum to 1, which undoes dropout's factor 1 / (1 - p) and makes a row that was dropped altogether nan.
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
        scores = scores.masked_fill(mask == 0, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
        weights = weights / weights.sum(dim=-1, keepdim=True)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights
# %% wrong: own_query_scaled_in_place | TRUE CAUSE: `q` is the caller's query under another name and `q *= ...` scales it in place, so a single result is right but the query is changed after the call, and a second call with it gives another result.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    q, k, v = query, key, value
    q *= q.shape[-1] ** -0.5
    logits = torch.einsum("...qd,...kd->...qk", q, k)
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    probs = F.softmax(logits, dim=-1)
    if dropout is not None:
        probs = dropout(probs)
    return torch.einsum("...qk,...kd->...qd", probs, v), probs
# %% wrong: own_weights_detached | TRUE CAUSE: The softmax's result is detached before it multiplies the values, as if weights were only something to look at, so the numbers are right but query and key get no gradient.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def similarity(a, b):
        return a.matmul(b.mT).div(math.sqrt(a.size(-1)))

    table = similarity(query, key)
    if mask is not None:
        table = table.masked_fill(mask.logical_not(), torch.finfo(table.dtype).min)
    attn = torch.softmax(table, dim=-1).detach()
    if dropout is not None:
        attn = dropout(attn)
    return attn.matmul(value), attn
