# %% wrong: causal-when-no-mask | Where no mask is given, is_causal=True is used, as in nanoGPT. With fewer queries than keys it counts from the first key, so the one newest query sees the first key only; and without a mask nothing is to be hidden at all (all keys in the cache are from the past, and a memory has no future).
def attend(attention, query, keys, values, mask=None):
    q = split_heads(attention.w_q(query), attention.num_heads)
    y = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask, is_causal=mask is None)
    return attention.w_o(merge_heads(y))

# %% wrong: merged-without-transpose | The heads are merged by a reshape of (N, H, T_q, d_k) straight to (N, T_q, D), without bringing the axis of the heads behind that of the positions. With one query it is right by chance, with several the positions are mixed.
def attend(attention, query, keys, values, mask=None):
    bsz, tgt_len, embed_dim = query.shape
    asked = split_heads(attention.w_q(query), attention.num_heads)
    attn_output = F.scaled_dot_product_attention(asked, keys, values, mask)
    attn_output = attn_output.reshape(bsz, tgt_len, embed_dim)
    return attention.w_o(attn_output)

# %% wrong: mask-as-numbers | The mask is turned into numbers before the call. F.scaled_dot_product_attention adds a mask of floats to the scores, so True adds 1 and False adds 0, and nothing is hidden; only a bool mask hides.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    if mask is not None:
        mask = mask.to(asked.dtype)
    heads = F.scaled_dot_product_attention(asked, keys, values, attn_mask=mask)
    output = attention.w_o(merge_heads(heads))
    return output

# %% wrong: scaled-twice | The queries are divided by the root of d_k first, as in fairseq, and F.scaled_dot_product_attention divides the scores by it once more, so they are divided by d_k.
def attend(attention, query, keys, values, mask=None):
    scaling = keys.size(-1) ** -0.5
    q = attention.w_q(query) * scaling
    q = split_heads(q, attention.num_heads)
    attn = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
    return attention.w_o(merge_heads(attn))

# %% wrong: scaled-by-the-model's-width | The scores are divided by the root of the whole width of the vectors, D, and not of a head's, d_k, so with several heads the weights are too even.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    scores = torch.einsum("nhqd,nhkd->nhqk", asked, keys) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    found = torch.einsum("nhqk,nhkd->nhqd", scores.softmax(dim=-1), values)
    return attention.w_o(merge_heads(found))

# %% wrong: drops-in-train-mode | The weights go through dropout whenever the attention is in train mode; in decoding nothing is dropped, whatever mode the attention is in.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    scores = asked @ keys.transpose(-2, -1) / math.sqrt(asked.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), torch.finfo(scores.dtype).min)
    weights = F.dropout(scores.softmax(dim=-1), p=0.1, training=attention.training)
    output = attention.w_o(merge_heads(weights @ values))
    return output

# %% right: by-hand
def attend(attention, query, keys, values, mask=None):
    q = split_heads(attention.w_q(query), attention.num_heads) / math.sqrt(keys.size(-1))
    scores = torch.einsum("nhqd,nhkd->nhqk", q, keys)
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    context = torch.einsum("nhqk,nhkd->nqhd", weights, values)
    return attention.w_o(context.flatten(2))

# %% right: the-function-of-lesson-01
def attend(attention, query, keys, values, mask=None):
    look_up = wb.use("scaled_dot_product_attention")
    asked = attention.w_q(query).unflatten(-1, (attention.num_heads, -1)).transpose(1, 2)
    heads, _ = look_up(asked, keys, values, mask)
    return attention.w_o(merge_heads(heads))
