# %% wrong: nanogpt-is-causal | The mask itself is not used: where one is given, F.scaled_dot_product_attention is called with is_causal=True, as in nanoGPT. Padding isn't hidden, and with fewer queries than keys that triangle begins at the first key, so a single new query sees the first position alone and not those in the cache.
def attend(attention, query, keys, values, mask=None):
    q = split_heads(attention.w_q(query), attention.num_heads)
    y = F.scaled_dot_product_attention(q, keys, values, is_causal=mask is not None)
    return attention.w_o(merge_heads(y))

# %% wrong: dropout-in-the-kernel | dropout_p is given the attention's dropout, and the kernel drops whenever dropout_p is above 0, also in eval mode. In decoding nothing is dropped, whatever mode the attention is in.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    heads = F.scaled_dot_product_attention(
        asked, keys, values, attn_mask=mask, dropout_p=attention.dropout.p
    )
    output = attention.w_o(merge_heads(heads))
    return output

# %% wrong: scale-of-the-whole-width | The scores are divided by the root of D, the width of the vectors that ask, and not by that of d_k, the width of one head, so with more than one head the weights are too even.
def attend(attention, query, keys, values, mask=None):
    scale = 1 / math.sqrt(query.size(-1))
    asked = split_heads(attention.w_q(query), attention.num_heads) * scale
    scores = torch.einsum("nhqd,nhkd->nhqk", asked, keys)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    heads = torch.einsum("nhqk,nhkd->nhqd", scores.softmax(dim=-1), values)
    return attention.w_o(merge_heads(heads))

# %% wrong: mask-inverted-for-torch | The mask is inverted before it goes to F.scaled_dot_product_attention, as nn.MultiheadAttention would need it. In this function True means, as in the lessons, that the key takes part, so now the padding is seen and the words are hidden.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    attn_mask = mask
    if mask is not None:
        attn_mask = mask.logical_not()
    attn_output = F.scaled_dot_product_attention(asked, keys, values, attn_mask=attn_mask)
    return attention.w_o(merge_heads(attn_output))

# %% wrong: merged-without-transpose | The heads, (N, H, T_q, d_k), are reshaped to (N, T_q, D) without moving the heads behind the positions first, so each position gets pieces of other positions. With a single query the two are the same, so one step of decoding comes out right, but not a prompt or a whole beam that asks together.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    weights = asked @ keys.transpose(-2, -1) / keys.size(-1) ** 0.5
    if mask is not None:
        weights = weights.masked_fill(~mask, torch.finfo(weights.dtype).min)
    heads = F.softmax(weights, dim=-1) @ values
    return attention.w_o(heads.reshape(query.shape))

# %% right: by-einsum
def attend(attention, query, keys, values, mask=None):
    batch, length, _ = query.shape
    asked = attention.w_q(query).reshape(batch, length, attention.num_heads, -1)
    scores = torch.einsum("nqhd,nhkd->nhqk", asked, keys) / math.sqrt(keys.size(-1))
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    found = torch.einsum("nhqk,nhkd->nqhd", F.softmax(scores, dim=-1), values)
    return attention.w_o(found.flatten(2))

# %% right: additive-mask-for-the-kernel
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    added = None
    if mask is not None:
        lowest = torch.finfo(asked.dtype).min
        added = asked.new_zeros(mask.shape).masked_fill(mask.logical_not(), lowest)
    found = F.scaled_dot_product_attention(asked, keys, values, attn_mask=added)
    return attention.w_o(merge_heads(found))
