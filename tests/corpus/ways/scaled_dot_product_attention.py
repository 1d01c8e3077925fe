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


# %% right: tenth_own_einsum_and_exp
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    s = torch.einsum("...id,...jd->...ij", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        s = torch.where(mask, s, torch.full_like(s, torch.finfo(s.dtype).min))
    powers = (s - s.amax(dim=-1, keepdim=True).detach()).exp()
    w = powers / powers.sum(dim=-1, keepdim=True)
    if dropout is not None:
        w = dropout(w)
    return torch.einsum("...ij,...jv->...iv", w, value), w

# %% right: tenth_own_query_by_query
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    root = math.sqrt(query.size(-1))
    rows = []
    for q in query.unbind(dim=-2):  # (..., d_k)
        rows.append((key * q.unsqueeze(-2)).sum(dim=-1) / root)  # (..., T_k)
    table = torch.stack(rows, dim=-2)
    if mask is not None:
        seen = mask.expand(table.shape)
        table = table.masked_fill(seen == False, torch.finfo(table.dtype).min)
    weights = F.softmax(table, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights


# %% right: eleventh_own_einsum_and_where
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    fit = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        fit = torch.where(mask, fit, torch.full_like(fit, torch.finfo(fit.dtype).min))
    attention = F.softmax(fit, dim=-1)
    if dropout is not None:
        attention = dropout(attention)
    return torch.einsum("...qk,...kv->...qv", attention, value), attention

# %% right: eleventh_own_query_after_query
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    t_q, t_k = query.size(-2), key.size(-2)
    if mask is not None:
        mask = mask.expand(*query.shape[:-2], t_q, t_k)
    rows = []
    for i in range(t_q):
        asked = query[..., i, :].unsqueeze(-2)
        row = (asked * key).sum(dim=-1) / math.sqrt(query.size(-1))
        if mask is not None:
            row = row.masked_fill(~mask[..., i, :], torch.finfo(row.dtype).min)
        rows.append(row.softmax(dim=-1))
    weights = torch.stack(rows, dim=-2)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights


# %% right: twelfth_own_einsum_where
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    logits = torch.einsum("...qd,...kd->...qk", query / math.sqrt(query.shape[-1]), key)
    if mask is not None:
        logits = torch.where(mask, logits, torch.full_like(logits, torch.finfo(logits.dtype).min))
    probs = F.softmax(logits, dim=-1)
    if dropout is not None:
        probs = dropout(probs)
    return torch.einsum("...qk,...kv->...qv", probs, value), probs
# %% right: twelfth_own_softmax_by_hand
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def normalize(table):
        table = table - table.amax(dim=-1, keepdim=True)
        powers = table.exp()
        return powers / powers.sum(dim=-1, keepdim=True)

    s = torch.matmul(query, key.mT) * query.size(-1) ** -0.5
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), torch.finfo(s.dtype).min)
    w = normalize(s)
    w = w if dropout is None else dropout(w)
    return torch.matmul(w, value), w
