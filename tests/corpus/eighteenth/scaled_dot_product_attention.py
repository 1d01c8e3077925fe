# %% wrong: fairseq-mask-sense | The mask's sense is turned round: it is read as a padding mask of fairseq or nn.MultiheadAttention, where True means hidden, so masked_fill hides the keys that are True. In the lesson True means that the query may see the key; the fill belongs where the mask is False (~mask).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaling = query.size(-1) ** -0.5
    attn_weights = torch.matmul(query * scaling, key.transpose(-2, -1))
    if mask is not None:
        attn_weights = attn_weights.masked_fill(mask, torch.finfo(attn_weights.dtype).min)
    attn_probs = F.softmax(attn_weights, dim=-1)
    if dropout is not None:
        attn_probs = dropout(attn_probs)
    attn = torch.matmul(attn_probs, value)
    return attn, attn_probs

# %% wrong: einsum-softmax-over-queries | The softmax runs over the axis of the queries (-2) and not over that of the keys (-1), so the columns of the weights sum to 1 and not the rows: the queries compete for each key, and no output is an average of the values.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    fit = torch.einsum("...qd,...kd->...qk", query, key) / math.sqrt(query.shape[-1])
    if mask is not None:
        fit = torch.where(mask, fit, torch.finfo(fit.dtype).min)
    share = fit.softmax(dim=-2)
    used = share if dropout is None else dropout(share)
    return torch.einsum("...qk,...kv->...qv", used, value), share

# %% wrong: bert-additive-mask | Hidden scores are not replaced but get -10000 added, as in BERT's extended mask. In a row in which every key is hidden the differences between the scores stay, so the hidden keys are still weighted by their scores, where the lesson asks for all alike or none ("a fixed number added to the scores, such as -10000, keeps their differences").
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    attention_scores = torch.matmul(query, key.transpose(-1, -2))
    attention_scores = attention_scores / math.sqrt(query.size(-1))
    if mask is not None:
        extended_mask = (1.0 - mask.to(attention_scores.dtype)) * -10000.0
        attention_scores = attention_scores + extended_mask
    attention_probs = nn.functional.softmax(attention_scores, dim=-1)
    if dropout is not None:
        attention_probs = dropout(attention_probs)
    context = torch.matmul(attention_probs, value)
    return context, attention_probs

# %% wrong: mingpt-scale-of-value | The scale is the root of the width of the values, d_v, and not of d_k, the width of queries and keys. It is right only where both happen to be equally wide, as in a usual model; the table of shapes allows another d_v.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    q, k, v = query, key, value
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(v.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask == 0, torch.finfo(att.dtype).min)
    att = F.softmax(att, dim=-1)
    weights = att
    if dropout is not None:
        att = dropout(att)
    y = att @ v
    return y, weights

# %% wrong: own-exp-global-peak | The softmax is written by hand, and the number subtracted before exp is the largest score of the whole tensor, not of each row. A row whose scores all lie about 100 or more below that of another row underflows to zeros, so its weights don't sum to 1 and it gets nothing, although it sees keys; the peak must be taken for each row (amax over the last axis, keepdim).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = (query / math.sqrt(query.size(-1))) @ key.mT
    powers = torch.exp(scores - scores.max())
    if mask is not None:
        powers = powers * mask
    smallest = torch.finfo(powers.dtype).tiny
    weights = powers / powers.sum(dim=-1, keepdim=True).clamp(min=smallest)
    kept = weights if dropout is None else dropout(weights)
    return kept @ value, weights

# %% wrong: times-mask-and-dropout-on-output | Two mistakes. The scores are multiplied by the mask, so a hidden score becomes 0, which is a score like any other (e to the 0 is 1): the key keeps a weight. And dropout is called with the output instead of with the weights, so single features of the average are dropped and not keys.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def drop(tensor):
        return tensor if dropout is None else dropout(tensor)
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / d_k**0.5
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    output = drop(torch.matmul(weights, value))
    return output, weights

# %% right: powers-by-hand
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    root = query.size(-1) ** -0.25
    scores = torch.einsum("...qd,...kd->...qk", query * root, key * root)
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    weights = powers / powers.sum(dim=-1, keepdim=True)
    used = weights if dropout is None else dropout(weights)
    return torch.einsum("...qk,...kv->...qv", used, value), weights

# %% right: zeros-for-blind-rows
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaling = query.size(-1) ** -0.5
    attn = torch.matmul(query * scaling, key.transpose(-1, -2))
    if mask is None:
        attn = F.softmax(attn, dim=-1)
    else:
        hidden = mask.logical_not()
        attn = F.softmax(attn.masked_fill(hidden, torch.finfo(attn.dtype).min), dim=-1)
        attn = attn.masked_fill(hidden, 0.0)
    p_attn = attn
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn
