# %% wrong: softmax_axis_from_the_front | The softmax runs over axis 2, counted from the front: these are the keys only for inputs with three axes. With a head axis, axis 2 is the queries, and with two axes there is none.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(mask.logical_not(), lowest)
    weights = F.softmax(scores, dim=2)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: own_softmax_with_one_maximum_for_all | The hand-made softmax subtracts the maximum of the whole tensor instead of that of each row: a row far below it (or one that sees no key) has only exps of 0, and 0 / 0 is nan.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def stable_softmax(s):
        powers = torch.exp(s - s.max())
        return powers / powers.sum(dim=-1, keepdim=True)
    fit = torch.einsum("...qd,...kd->...qk", query, key) / query.size(-1) ** 0.5
    if mask is not None:
        fit = fit.masked_fill(~mask, torch.finfo(fit.dtype).min)
    weights = stable_softmax(fit)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights

# %% wrong: renormalized_after_dropout | The weights are divided by their row sum once more after dropout, in the belief that they must still sum to 1, which undoes dropout's factor 1 / (1 - p) and makes a row that was dropped altogether nan.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
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

# %% wrong: own_weights_detached | The softmax's result is detached before it multiplies the values, as if weights were only something to look at, so the numbers are right but query and key get no gradient.
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

# %% wrong: lowest_of_the_scores | `lowest` is changed to the smallest score that occurs (scores.min()) instead of the lowest number of the dtype, so a hidden key still gets a small weight above 0.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
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

# %% wrong: own_softmax_minus_the_global_maximum | The softmax by hand subtracts the largest score of the whole tensor instead of the row's own: a row whose scores are all far below that (or all hidden) underflows to 0 / 0, which is nan.
def stable_softmax(scores):
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(dim=-1, keepdim=True)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / query.size(-1) ** 0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = stable_softmax(scores)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...qk,...kd->...qd", weights, value), weights

# %% wrong: two-mask-after-softmax-and-lost-dropout | Two mistakes. The mask sets weights to 0 after the softmax, so the weights of a row no longer sum to 1 ("the other weights of the row must still sum to 1. So we let the mask work on the scores"). And dropout is applied only to the weights that are returned, while the output is made with those before it, although the new weights "multiply the values".
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def compare(asking, asked):
        return asking @ asked.transpose(-2, -1) / math.sqrt(asked.size(-1))
    weights = compare(query, key).softmax(dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, torch.zeros_like(weights))
    output = weights @ value
    if dropout is not None:
        weights = dropout(weights)
    return output, weights
