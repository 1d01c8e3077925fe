# %% wrong: softmax_axis_counted_from_the_front | softmax(dim=1) counts the axis from the front: it is the keys only for two axes; with a batch it runs over the queries, with heads over the heads, so the rows no longer sum to 1. It should be dim=-1.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights
# %% wrong: hidden_scores_are_1e_minus_9 | Hidden scores are replaced by 1e-9, a tiny positive number (mixed up with minus 1e9), instead of the lowest number: that is a score of about 0, which still gets a weight like any other.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, 1e-9)
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
# %% wrong: own_minus_infinity | Hidden scores become minus infinity instead of the lowest finite number, so a row in which every key is hidden is 0 divided by 0 in the softmax: nan instead of uniform weights.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaled_query = query * query.size(-1) ** -0.5
    fits = torch.matmul(scaled_query, key.mT)
    if mask is not None:
        fits = torch.where(mask, fits, -math.inf)
    weights = F.softmax(fits, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights
