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


# %% right: own_exp_minus_row_maximum
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Eq. 1. Returns the output and the weights."""
    scaled = query * query.size(-1) ** -0.5
    logits = torch.einsum("...id,...jd->...ij", scaled, key)
    if mask is not None:
        floor = torch.full_like(logits, torch.finfo(logits.dtype).min)
        logits = torch.where(mask, logits, floor)
    logits = logits - logits.amax(dim=-1, keepdim=True).detach()
    powers = logits.exp()
    weights = powers / powers.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...ij,...jd->...id", weights, value), weights

# %% right: own_one_query_after_the_other
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    root = math.sqrt(key.shape[-1])
    all_keys = key.transpose(-2, -1)  # (..., d_k, T_k)
    rows = []
    for i in range(query.shape[-2]):
        rows.append(query[..., i : i + 1, :] @ all_keys / root)  # (..., 1, T_k)
    table = torch.cat(rows, dim=-2)
    if mask is not None:
        hidden = torch.logical_not(mask).expand_as(table)
        table = table.masked_fill(hidden, torch.finfo(table.dtype).min)
    attention = torch.log_softmax(table, dim=-1).exp()
    if dropout is not None:
        attention = dropout(attention)
    return torch.matmul(attention, value), attention
