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
