# %% wrong: annotated-mask-one-hides | The sense of the mask is turned round: the student fills the scores where mask is True (as attn_mask / key_padding_mask of torch.nn mean it), but in this lesson True means "may be seen" and the False keys must be hidden.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask == 1, lowest)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn

# %% wrong: mingpt-scale-by-number-of-keys | The scale is taken from the wrong axis: key.size(-2) is T_k, the number of keys, while Eq. 1 divides by the square root of d_k, the number of features of a query or key (size(-1)).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    att = (query @ key.transpose(-2, -1)) * (1.0 / math.sqrt(key.size(-2)))
    if mask is not None:
        att = att.masked_fill(mask == 0, torch.finfo(att.dtype).min)
    att = F.softmax(att, dim=-1)
    if dropout is not None:
        att = dropout(att)
    y = att @ value
    return y, att

# %% wrong: einsum-softmax-over-queries | The softmax runs over axis -2, the queries, instead of over axis -1, the keys: the weights that one key gets from all queries sum to 1, and the weights of one query do not.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaled = query / query.shape[-1] ** 0.5
    scores = torch.einsum("...id,...jd->...ij", scaled, key)
    if mask is not None:
        hidden = torch.logical_not(mask)
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-2)
    kept = weights if dropout is None else dropout(weights)
    return torch.einsum("...ij,...jd->...id", kept, value), weights

# %% wrong: bert-added-minus-10000 | A fixed number (-10000) is added to the hidden scores instead of replacing them by the lowest finite number. Adding keeps the differences of the scores, so in a row in which every key is hidden the hidden keys are still weighted by their scores, where the weights have to be uniform (or all zero).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    attention_head_size = query.size(-1)
    attention_scores = torch.matmul(query, key.transpose(-1, -2))
    attention_scores = attention_scores / math.sqrt(attention_head_size)
    if mask is not None:
        extended_mask = (1.0 - mask.to(attention_scores.dtype)) * -10000.0
        attention_scores = attention_scores + extended_mask
    attention_probs = nn.Softmax(dim=-1)(attention_scores)
    if dropout is not None:
        attention_probs = dropout(attention_probs)
    context = torch.matmul(attention_probs, value)
    return context, attention_probs

# %% wrong: mask-after-softmax-and-dropout-on-output | Two mistakes. The mask sets weights to 0 after the softmax, so the weights that are left no longer sum to 1 (the mask must act on the scores, before the softmax). And dropout is called with the output instead of with the weights that multiply the values.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def weigh(scores):
        shares = torch.softmax(scores, dim=-1)
        return shares if mask is None else shares * mask
    scale = 1 / math.sqrt(query.size(-1))
    weights = weigh(query.matmul(key.mT) * scale)
    output = weights.matmul(value)
    if dropout is not None:
        output = dropout(output)
    return output, weights

# %% wrong: nanogpt-minus-infinity | Hidden scores become minus infinity instead of the lowest finite number of the dtype. In a row in which every key is hidden the softmax then divides 0 by 0, and the weights and the output of that row are nan, though such a row must stay finite.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    dk = key.size(-1)
    att = query @ key.transpose(-2, -1)
    att = att / math.sqrt(dk)
    if mask is not None:
        att = att.masked_fill(mask.logical_not(), float("-inf"))
    att = att.softmax(-1)
    if dropout is not None:
        att = dropout(att)
    return att @ value, att

# %% right: einsum-and-where
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...qd,...kd->...qk", query * query.size(-1) ** -0.5, key)
    if mask is not None:
        floor = torch.full_like(scores, torch.finfo(scores.dtype).min)
        scores = torch.where(mask, scores, floor)
    weights = F.softmax(scores, dim=-1)
    used = weights if dropout is None else dropout(weights)
    output = torch.einsum("...qk,...kv->...qv", used, value)
    return output, weights

# %% right: annotated-zeros-for-a-row-without-keys
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.matmul(query, key.transpose(-2, -1)).div(math.sqrt(key.size(-1)))
    if mask is None:
        p_attn = torch.softmax(scores, dim=-1)
    else:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
        p_attn = torch.softmax(scores, dim=-1).masked_fill(mask == 0, 0.0)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn
