# %% wrong: nanogpt-dropout-in-train-mode | The weights go through dropout when the attention is in train mode; in decoding nothing is dropped, whatever mode the attention is in.
def attend(attention, query, keys, values, mask=None):
    B, T, C = query.size()
    q = attention.w_q(query).view(B, T, attention.num_heads, C // attention.num_heads).transpose(1, 2)
    att = (q @ keys.transpose(-2, -1)) * (1.0 / math.sqrt(keys.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask == 0, torch.finfo(att.dtype).min)
    att = F.softmax(att, dim=-1)
    att = F.dropout(att, p=0.1, training=attention.training)
    y = (att @ values).transpose(1, 2).contiguous().view(B, T, C)
    return attention.w_o(y)

# %% wrong: hf-is-causal-without-a-mask | Without a mask, is_causal=True is set. With a cache the only query is the newest position, but PyTorch counts it as position 0 and lets it see the first key alone (and in cross-attention nothing is causal at all). No mask must hide nothing.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    is_causal = mask is None
    heads = F.scaled_dot_product_attention(
        asked, keys, values, attn_mask=mask, dropout_p=0.0, is_causal=is_causal
    )
    output = attention.w_o(merge_heads(heads))
    return output

# %% wrong: scaled-by-the-whole-width | The scores are divided by the square root of D, the width before the heads are split, instead of d_k, the features of one head; the weights come out too even.
def attend(attention, query, keys, values, mask=None):
    asked = attention.w_q(query)
    scale = asked.size(-1) ** -0.5
    asked = asked.unflatten(-1, (attention.num_heads, -1))
    scores = torch.einsum("nqhd,nhkd->nhqk", asked, keys) * scale
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    found = torch.einsum("nhqk,nhkd->nqhd", scores.softmax(dim=-1), values)
    return attention.w_o(found.flatten(2))

# %% wrong: float-mask-is-added | The mask is turned into floats, and F.scaled_dot_product_attention adds a float mask to the scores: visible keys get 1 more and hidden ones 0, so nothing is hidden. It needs the bool mask (True may be seen).
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    bias = None if mask is None else mask.to(asked.dtype)
    heads = F.scaled_dot_product_attention(asked, keys, values, attn_mask=bias)
    return attention.w_o(merge_heads(heads))

# %% wrong: heads-merged-without-transposing | The heads are merged by a reshape from (N, H, T_q, d_k) without moving the heads behind the positions first. With one query it makes no difference, with several the numbers of different positions and heads are mixed up.
def attend(attention, query, keys, values, mask=None):
    num_heads = attention.num_heads
    q = attention.w_q(query)
    q = q.reshape(q.shape[0], q.shape[1], num_heads, -1).permute(0, 2, 1, 3)
    energy = torch.matmul(q, keys.permute(0, 1, 3, 2)) / keys.shape[-1] ** 0.5
    if mask is not None:
        energy = energy.masked_fill(mask == 0, torch.finfo(energy.dtype).min)
    x = torch.matmul(torch.softmax(energy, dim=-1), values)
    return attention.w_o(x.reshape(query.shape))

# %% wrong: unprojected-query | The query vectors are split into heads as they came, without w_q. keys_and_values has projected the keys only, so attend has to project what asks.
def attend(attention, query, keys, values, mask=None):
    found = []
    for head, asked in enumerate(query.chunk(attention.num_heads, dim=-1)):
        found.append(
            F.scaled_dot_product_attention(
                asked,
                keys[:, head],
                values[:, head],
                attn_mask=None if mask is None else mask.expand(
                    query.size(0), attention.num_heads, query.size(1), keys.size(2)
                )[:, head],
            )
        )
    return attention.w_o(torch.cat(found, dim=-1))

# %% wrong: torch-mask-sense-and-no-scale | Two mistakes. The sense of the mask is turned round as in torch.nn.MultiheadAttention (True hides): the visible keys are hidden. And the scores aren't divided by the square root of d_k.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    scores = torch.matmul(asked, keys.transpose(2, 3))
    if mask is not None:
        scores.masked_fill_(mask, torch.finfo(scores.dtype).min)
    heads = torch.matmul(scores.softmax(dim=3), values)
    output = attention.w_o(merge_heads(heads))
    return output

# %% right: einsum-by-hand
def attend(attention, query, keys, values, mask=None):
    asked = attention.w_q(query).unflatten(-1, (attention.num_heads, -1))
    scores = torch.einsum("nqhd,nhkd->nhqk", asked, keys) / math.sqrt(keys.size(-1))
    if mask is not None:
        scores = scores.masked_fill(torch.logical_not(mask), torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    return attention.w_o(torch.einsum("nhqk,nhkd->nqhd", weights, values).flatten(2))

# %% right: llama-sdpa
def attend(attention, query, keys, values, mask=None):
    bsz, seqlen, _ = query.shape
    xq = attention.w_q(query).view(bsz, seqlen, attention.num_heads, -1).transpose(1, 2)
    output = F.scaled_dot_product_attention(
        xq, keys, values, attn_mask=mask, dropout_p=0.0, is_causal=False
    )
    output = output.transpose(1, 2).contiguous().view(bsz, seqlen, -1)
    return attention.w_o(output)
