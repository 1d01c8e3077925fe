# %% right: field_energy_and_softmax_by_hand
def attend(attention, query, K, V, mask=None):
    batch_size, n_heads = query.shape[0], attention.num_heads
    Q = attention.w_q(query)
    Q = Q.view(batch_size, -1, n_heads, K.shape[-1]).permute(0, 2, 1, 3)
    energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / math.sqrt(K.shape[-1])
    if mask is not None:
        energy = energy.masked_fill(mask == 0, -1e10)
    x = torch.matmul(torch.softmax(energy, dim=-1), V)
    x = x.permute(0, 2, 1, 3).contiguous().view(batch_size, -1, query.shape[-1])
    return attention.w_o(x)
# %% right: field_flash_and_reassembled
def attend(attention, query, keys, values, mask=None):
    B, T, C = query.size()
    q = attention.w_q(query).view(B, T, attention.num_heads, C // attention.num_heads).transpose(1, 2)
    y = torch.nn.functional.scaled_dot_product_attention(
        q, keys, values, attn_mask=mask, dropout_p=0, is_causal=False
    )
    y = y.transpose(1, 2).contiguous().view(B, T, C)
    return attention.w_o(y)
# %% right: field_scores_masked_by_where
def attend(attention, query, keys, values, mask=None):
    xq = attention.w_q(query).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
    scores = (xq @ keys.mT) * keys.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    scores = F.softmax(scores.float(), dim=-1).type_as(xq)
    return attention.w_o((scores @ values).transpose(1, 2).flatten(2))
