# %% wrong: mask-the-wrong-way-round | masked_fill writes where its argument is True, and True means "may be seen" here: the ~ is missing, so the keys that may be seen are hidden and the hidden ones are looked at.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: softmax-over-axis-one | The softmax runs over axis 1, counted from the front (as in labml, where the keys are axis 1). Here that is the heads of a four-dimensional input, or the queries of a three-dimensional one; it has to be the keys, the last axis.
softmax = nn.Softmax(dim=1)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = 1 / math.sqrt(query.shape[-1])
    scores = torch.matmul(query, key.transpose(-1, -2))
    scores = scores * scale
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    attn = softmax(scores)
    if dropout is not None:
        attn = dropout(attn)
    return torch.matmul(attn, value), attn

# %% wrong: weights-zeroed-after-softmax | The mask is applied to the weights after the softmax and not to the scores before it: hidden keys get 0, but the rest of the row no longer sums to 1, since what the hidden keys held is lost.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    similarity = torch.einsum("...qd,...kd->...qk", query, key)
    weights = torch.softmax(similarity / query.size(-1) ** 0.5, dim=-1)
    if mask is not None:
        weights = weights * mask
    if dropout is not None:
        weights = dropout(weights)
    return torch.einsum("...qk,...kd->...qd", weights, value), weights

# %% wrong: minus-infinity | As in nanoGPT the hidden scores become -inf. A row in which every key is hidden is then 0 divided by 0 in the softmax and comes out as nan instead of finite (uniform or zero).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    att = (query @ key.transpose(-2, -1)) * (1.0 / math.sqrt(key.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask == 0, float("-inf"))
    att = F.softmax(att, dim=-1)
    if dropout is not None:
        att = dropout(att)
    y = att @ value
    return y, att

# %% wrong: minus-ten-thousand-added | As in old BERT code a fixed -10000 is added to the hidden scores instead of replacing them: a row that sees no key keeps the differences of its scores and weighs the hidden keys by them, and where scores are large a hidden key still gets weight.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    attention_scores = torch.matmul(query, key.transpose(-1, -2))
    attention_scores = attention_scores / math.sqrt(query.size(-1))
    if mask is not None:
        extended_attention_mask = (1.0 - mask.to(query.dtype)) * -10000.0
        attention_scores = attention_scores + extended_attention_mask
    attention_probs = nn.Softmax(dim=-1)(attention_scores)
    if dropout is not None:
        attention_probs = dropout(attention_probs)
    context_layer = torch.matmul(attention_probs, value)
    return context_layer, attention_probs

# %% wrong: softmax-by-hand-overflows | The softmax is written with exp and a sum without subtracting the largest score first: for scores above about 89 exp overflows to inf, and the weights become nan.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    powers = torch.exp(scores)
    if mask is not None:
        powers = powers.masked_fill(~mask, 0.0)
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total.clamp(min=1e-30)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: query-scaled-in-place | The query is scaled with *=, in place, as in fairseq, where it is a fresh projection. Here it is the caller's tensor, which is changed by the call (a second call gives another result; a leaf that needs a gradient fails).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaling = query.size(-1) ** -0.5
    query *= scaling
    attn_weights = torch.matmul(query, key.transpose(-2, -1))
    if mask is not None:
        attn_weights = attn_weights.masked_fill(~mask, torch.finfo(attn_weights.dtype).min)
    attn_weights = F.softmax(attn_weights, dim=-1)
    if dropout is not None:
        attn_weights = dropout(attn_weights)
    return torch.matmul(attn_weights, value), attn_weights

# %% wrong: bmm-wants-three-axes | torch.bmm (and transpose(1, 2)) works on exactly three axes, as in d2l. Inputs without a batch axis, or with batch and heads, (N, H, T, d_k), raise an error; any number of axes in front is required.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d = query.shape[-1]
    scores = torch.bmm(query, key.transpose(1, 2)) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    attention_weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        return torch.bmm(dropout(attention_weights), value), attention_weights
    return torch.bmm(attention_weights, value), attention_weights

# %% wrong: dropout-on-the-output | Dropout is called with the output, after the average, and not with the weights: single features of the result are dropped instead of keys.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    drop = dropout if dropout is not None else nn.Identity()
    scores = torch.matmul(query / math.sqrt(query.size(-1)), key.transpose(-2, -1))
    if mask is not None:
        hidden = torch.logical_not(mask)
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    return drop(weights @ value), weights

# %% wrong: length-for-width-and-no-dropout | Two mistakes. The scores are divided by the root of the number of keys, key.size(-2), instead of the number of features d_k; and the argument dropout is never used.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    n = key.size(-2)
    scores = query @ key.transpose(-1, -2)
    scores = scores / math.sqrt(n)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = torch.where(mask, scores, torch.full_like(scores, lowest))
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights

# %% right: annotated-with-finfo
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    p_attn = F.softmax(scores, dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn

# %% right: softmax-by-hand-with-maximum
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, scores, torch.full_like(scores, torch.finfo(scores.dtype).min))
    largest = scores.amax(dim=-1, keepdim=True).detach()
    powers = (scores - largest).exp()
    weights = powers / powers.sum(dim=-1, keepdim=True)
    dropped = weights if dropout is None else dropout(weights)
    return torch.einsum("...qk,...kd->...qd", dropped, value), weights

# %% right: empty-rows-weigh-none
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def drop(weights):
        return weights if dropout is None else dropout(weights)
    scores = (query / query.size(-1) ** 0.5) @ key.mT
    if mask is None:
        weights = drop(scores.softmax(dim=-1))
        return weights @ value, weights
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    weights = drop(weights.masked_fill(~mask, 0.0))
    return weights @ value, weights
