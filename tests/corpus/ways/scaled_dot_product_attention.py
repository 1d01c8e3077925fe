# %% right: scaled_query_and_einsum
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaled = query * query.size(-1) ** -0.5
    scores = torch.einsum("...qd,...kd->...qk", scaled, key)
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, -1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


# %% right: by_columns_of_the_transpose
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.shape[-1]
    scores = (key @ query.mT).mT / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = scores.log_softmax(dim=-1).exp()
    weights = weights if dropout is None else dropout(weights)
    return torch.matmul(weights, value), weights
