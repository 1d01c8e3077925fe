# %% wrong: mask-inverted-for-torch | The mask is inverted before it goes to F.scaled_dot_product_attention: the student has in mind that torch's masks hide where they are True, as those of nn.MultiheadAttention and nn.TransformerDecoderLayer do. But this function's boolean mask means, as ours, that True may be seen.
def attend(attention, query, keys, values, mask=None):
    q = split_heads(attention.w_q(query), attention.num_heads)
    attn_mask = None if mask is None else ~mask
    attn_output = F.scaled_dot_product_attention(q, keys, values, attn_mask=attn_mask)
    attn_output = merge_heads(attn_output)
    return attention.w_o(attn_output)

# %% wrong: hugging-face-dropout-in-training | The attention's dropout is passed to the kernel whenever the attention is in train mode, as Hugging Face's attention does. The fine print: in decoding nothing is dropped, whatever mode the attention is in.
def attend(attention, query, keys, values, mask=None):
    query_states = split_heads(attention.w_q(query), attention.num_heads)
    attn_output = F.scaled_dot_product_attention(
        query_states,
        keys,
        values,
        attn_mask=mask,
        dropout_p=attention.dropout.p if attention.training else 0.0,
    )
    attn_output = attn_output.transpose(1, 2).flatten(2)
    return attention.w_o(attn_output)

# %% wrong: root-of-d-model | Eq. 1 is written out, but the scores are divided by the root of d_model, the length of query before it is cut into heads, instead of by the root of d_k, the length of one head's keys. The weights are flatter than those of the model.
def attend(attention, query, keys, values, mask=None):
    d_k = query.size(-1)
    asked = split_heads(attention.w_q(query), attention.num_heads)
    scores = torch.einsum("nhqd,nhkd->nhqk", asked, keys) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    heads = torch.einsum("nhqk,nhkd->nhqd", scores.softmax(dim=-1), values)
    return attention.w_o(merge_heads(heads))

# %% wrong: scaled-twice | The queries are divided by the root of d_k, as fairseq does it, and then given to F.scaled_dot_product_attention, which divides the scores by the same root once more. So the scores are divided by d_k in all.
def attend(attention, query, keys, values, mask=None):
    scaling = keys.size(-1) ** -0.5
    asked = split_heads(attention.w_q(query) * scaling, attention.num_heads)
    heads = F.scaled_dot_product_attention(asked, keys, values, attn_mask=mask)
    output = attention.w_o(merge_heads(heads))
    return output

# %% wrong: two-masked-after-and-reshaped | Two mistakes. The mask sets weights to 0 after the softmax, so those of a row no longer sum to 1. And the heads are put together with reshape alone, without moving the axis of the heads back behind that of the queries, which comes out right for a single query only.
def attend(attention, query, keys, values, mask=None):
    batch, asking, d_model = query.shape
    asked = attention.w_q(query).unflatten(2, (attention.num_heads, -1)).transpose(1, 2)
    weights = (asked @ keys.mT / keys.size(-1) ** 0.5).softmax(dim=-1)
    if mask is not None:
        weights = weights * mask
    heads = weights @ values
    return attention.w_o(heads.reshape(batch, asking, d_model))

# %% right: written-out
def attend(attention, query, keys, values, mask=None):
    asked = split_heads(attention.w_q(query), attention.num_heads)
    scores = asked @ keys.transpose(-2, -1) / math.sqrt(keys.size(-1))
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    return attention.w_o(merge_heads(F.softmax(scores, dim=-1) @ values))

# %% right: head-by-head
def attend(attention, query, keys, values, mask=None):
    asked = attention.w_q(query).chunk(attention.num_heads, dim=-1)
    found = []
    for number, own in enumerate(asked):
        scores = torch.einsum("nqd,nkd->nqk", own, keys[:, number]) / keys.size(-1) ** 0.5
        if mask is not None:
            wide = mask.expand(scores.size(0), attention.num_heads, *scores.shape[1:])
            scores = scores.masked_fill(~wide[:, number], torch.finfo(scores.dtype).min)
        found.append(scores.softmax(dim=-1) @ values[:, number])
    return attention.w_o(torch.cat(found, dim=-1))
