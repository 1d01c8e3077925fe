# %% wrong: projects-twice | keys and values are merged and given to the whole attention, which projects them by w_k and w_v once more: they had passed these already in keys_and_values.
def attend(attention, query, keys, values, mask=None):
    return attention(query, merge_heads(keys), merge_heads(values), mask)

# %% wrong: causal-by-habit | As in GPT code is_causal=True is set where no mask is given: with one query and many keys, it lets the query see the first key alone, and it hides keys that cross-attention and decoding may see.
def attend(attention, query, keys, values, mask=None):
    B, T, C = query.size()
    q = attention.w_q(query).view(B, T, attention.num_heads, -1).transpose(1, 2)
    y = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask, is_causal=mask is None)
    y = y.transpose(1, 2).contiguous().view(B, T, C)
    return attention.w_o(y)

# %% wrong: scaled-by-d-model | Eq. 1 is written by hand, and the scores are divided by the root of d_model (the last axis of query, before the heads were split) and not of d_k.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    scores = torch.einsum("nhqd,nhkd->nhqk", asked, keys) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    heads = torch.einsum("nhqk,nhkd->nhqd", weights, values)
    return attention.w_o(merge_heads(heads))

# %% wrong: drops-and-sees-all | Two mistakes: the mask is not passed to the kernel, so a query sees hidden keys, too; and attention.dropout.p is passed to the kernel: in decoding nothing is dropped, but the kernel drops at this rate always, so results are random.
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    heads = F.scaled_dot_product_attention(
        asked, keys, values, dropout_p=attention.dropout.p
    )
    output = attention.w_o(merge_heads(heads))
    return output

# %% right: eq-1-by-hand
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    scores = asked @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    found = scores.softmax(dim=-1) @ values
    return attention.w_o(merge_heads(found))
