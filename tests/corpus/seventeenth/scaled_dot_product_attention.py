# %% wrong: softmax-over-queries-einsum | The softmax is taken over the axis of the queries (-2) instead of that of the keys (-1): the student thinks that each key hands out its weight among the queries. Each row of weights must sum to 1 over the keys ("turns the comparisons into weights that sum to 1", "Average the values, each weighted by how well its key matches the query"); here each column does.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = query.size(-1) ** -0.5
    scores = torch.einsum("...qd,...kd->...qk", query, key) * scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = torch.where(mask, scores, torch.full_like(scores, lowest))
    weights = torch.softmax(scores, dim=-2)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.einsum("...qk,...kd->...qd", weights, value)
    return output, weights

# %% wrong: annotated-scale-by-d_v | The scores are divided by the root of the length of the values, d_v, instead of that of the queries and keys, d_k: the student thinks that all three vectors are equally long. It shows only where d_v differs from d_k (Eq. 1 divides by the root of d_k, since the dot product sums d_k products).
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = value.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn

# %% wrong: true-hides-as-in-torch | The mask is read with the opposite sense, as nn.MultiheadAttention's boolean masks are: the keys where the mask is True are filled with the lowest number, although the contract says that True means that the query may see the key and that a key is hidden where the mask is False.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.mT / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask, lowest)
    weights = F.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: exp-of-my-own | The softmax is written out as exp divided by the sum of the exps, without the row's maximum being subtracted first, so scores above about 89 overflow to inf and inf / inf gives nan. The fine print says that the tensor's softmax stays finite for scores of any size, while an exp of one's own overflows.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(dim=-1) / d_k**0.5
    powers = scores.exp()
    if mask is not None:
        powers = powers * mask
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total.clamp(min=torch.finfo(powers.dtype).tiny)
    if dropout is not None:
        weights = dropout(weights)
    output = (weights.unsqueeze(-1) * value.unsqueeze(-3)).sum(dim=-2)
    return output, weights

# %% wrong: minus-infinity | Hidden scores become minus infinity instead of the lowest finite number: the student thinks that only -inf can give a weight of exactly 0. In a row in which every key is hidden, the softmax then divides 0 by 0 and gives nan, and the fine print says that such a row has to stay finite.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scaling = float(query.size(-1)) ** -0.5
    query = query * scaling
    attn_weights = query @ key.transpose(-1, -2)
    if mask is not None:
        attn_weights = attn_weights.masked_fill(mask.logical_not(), float("-inf"))
    attn_probs = attn_weights.softmax(dim=-1)
    if dropout is not None:
        attn_probs = dropout(attn_probs)
    return attn_probs @ value, attn_probs

# %% wrong: two-mask-after-softmax-and-lost-dropout | Two mistakes. The mask sets weights to 0 after the softmax, so the weights of a row no longer sum to 1 ("the other weights of the row must still sum to 1. So we let the mask work on the scores"). And dropout is applied only to the weights that are returned, while the output is made with those before it, although the new weights "multiply the values".
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def compare(asking, asked):
        return asking @ asked.transpose(-2, -1) / math.sqrt(asked.size(-1))
    weights = compare(query, key).softmax(dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, torch.zeros_like(weights))
    output = weights @ value
    if dropout is not None:
        weights = dropout(weights)
    return output, weights

# %% right: stable-softmax-by-hand
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...id,...jd->...ij", query, key) / math.sqrt(key.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, torch.finfo(scores.dtype).min)
    powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    if mask is not None:
        powers = powers * mask
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total.clamp(min=torch.finfo(powers.dtype).tiny)
    kept = weights if dropout is None else dropout(weights)
    return torch.einsum("...ij,...jv->...iv", kept, value), weights

# %% right: fairseq-scaled-query
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    q = query * query.size(-1) ** -0.5
    attn_weights = torch.matmul(q, key.transpose(-2, -1))
    if mask is not None:
        fill = torch.finfo(attn_weights.dtype).min
        attn_weights = attn_weights.masked_fill(~mask, fill)
    attn_weights = F.softmax(attn_weights, dim=-1)
    attn_probs = attn_weights
    if dropout is not None:
        attn_probs = dropout(attn_weights)
    return torch.matmul(attn_probs, value), attn_probs
