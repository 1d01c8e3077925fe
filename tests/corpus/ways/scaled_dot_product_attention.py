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
# %% right: field_annotated
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn
# %% right: field_ten_thousand_in_place_of_the_score
class ScaleDotProductAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.softmax = nn.Softmax(dim=-1)
    def forward(self, q, k, v, mask=None, dropout=None):
        score = (q @ k.transpose(-1, -2)) / math.sqrt(q.size(-1))
        if mask is not None:
            score = score.masked_fill(mask == 0, -10000)
        score = self.softmax(score)
        score = score if dropout is None else dropout(score)
        return score @ v, score
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    return ScaleDotProductAttention()(query, key, value, mask, dropout)
# %% right: field_einsum_and_the_most_negative
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    sim = torch.einsum("...id,...jd->...ij", query, key) * query.shape[-1] ** -0.5
    mask_value = -torch.finfo(sim.dtype).max
    if mask is not None:
        sim = sim.masked_fill(~mask, mask_value)
    attn = F.softmax(sim, dim=-1, dtype=torch.float32 if sim.dtype == torch.float32 else sim.dtype)
    kept = attn if dropout is None else dropout(attn)
    return torch.einsum("...ij,...jd->...id", kept, value), attn
