# %% wrong: softmax-over-queries | The softmax runs over the axis of the queries (dim=-2) and not over the keys (the last axis), so each column sums to 1 and a query's weights do not; the result is no average of the values.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / math.sqrt(query.size(-1))
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = torch.where(mask, scores, lowest)
    weights = F.softmax(scores, dim=-2)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.einsum("...qk,...kv->...qv", weights, value)
    return output, weights

# %% wrong: true-means-hidden | The mask is read in the sense of nn.MultiheadAttention, where True hides; here True means "this query may see this key", so exactly the visible keys are hidden and the hidden ones are seen.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn

# %% wrong: mask-after-softmax | The mask works on the weights after the softmax: the hidden weights become 0, but what they held is lost, so the other weights of the row no longer sum to 1. The mask must work on the scores before the softmax.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    att = (query @ key.transpose(-2, -1)) * (1.0 / math.sqrt(key.size(-1)))
    att = F.softmax(att, dim=-1)
    if mask is not None:
        att = att.masked_fill(mask == 0, 0.0)
    if dropout is not None:
        att = dropout(att)
    y = att @ value
    return y, att

# %% wrong: divided-by-d_k | The scores are divided by d_k itself (the scale is put on the query as d_k ** -1) and not by its square root, so their spread becomes 1/sqrt(d_k) and the weights are too even.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaled_query = query * query.size(-1) ** -1
    scores = scaled_query @ key.mT
    if mask is not None:
        scores.masked_fill_(~mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, -1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: added-minus-10000 | The hidden scores get a fixed number (-10000) added and are not replaced. That keeps their differences, so in a row in which every key is hidden the keys are still weighted by their scores, while that row must come out uniform or all zeros.
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

# %% wrong: own-softmax-without-max | The softmax is written by hand as exp over its sum without subtracting the row's largest score first, so large scores (from about 89) overflow to inf/inf, and a row in which every key is hidden becomes 0/0: nan in both cases.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def normalize(numbers):
        powers = numbers.exp()
        return powers / powers.sum(dim=-1, keepdim=True)
    fit = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)
    fit = fit / query.size(-1) ** 0.5
    if mask is not None:
        fit = fit.masked_fill(mask.logical_not(), torch.finfo(fit.dtype).min)
    weights = normalize(fit)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: dropout-on-output | Dropout is applied to the output (the averages), where it drops single features of the result; it must be called with the weights, and the weights that it returns multiply the values.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    output = weights @ value
    if dropout is not None:
        output = dropout(output)
    return output, weights

# %% wrong: minus-inf-and-d_v | Two mistakes. Hidden scores become minus infinity, so a row in which every key is hidden is nan after the softmax (the lowest finite number is needed). And the scale is the root of the length of the values, d_v, in place of that of the queries and keys, d_k.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    *_, d_tensor = value.size()
    k_t = key.transpose(-1, -2)
    score = (query @ k_t) / math.sqrt(d_tensor)
    if mask is not None:
        score = score.masked_fill(mask == 0, float("-inf"))
    score = F.softmax(score, dim=-1)
    if dropout is not None:
        score = dropout(score)
    v = score @ value
    return v, score

# %% right: einsum-log-softmax
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    q = query * query.size(-1) ** -0.5
    logits = torch.einsum("...id,...jd->...ij", q, key)
    if mask is not None:
        logits = torch.where(mask, logits, torch.finfo(logits.dtype).min)
    attn = F.log_softmax(logits, dim=-1).exp()
    post = attn if dropout is None else dropout(attn)
    return torch.einsum("...ij,...jd->...id", post, value), attn

# %% right: zeros-where-nothing-is-seen
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    root = math.sqrt(query.size(-1))
    weights = torch.matmul(query / root, key.transpose(-1, -2))
    if mask is not None:
        weights = weights.masked_fill(mask.logical_not(), torch.finfo(weights.dtype).min)
    weights = weights.softmax(-1)
    if mask is not None:
        weights = weights * mask.any(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights
