# %% wrong: softmax_axis_from_front | TRUE CAUSE: the softmax runs over axis 1 instead of the last one, so for inputs with a batch axis it runs over the queries (or heads) and the rows do not sum to 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = F.softmax(scores, dim=1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: divided_by_d_k | TRUE CAUSE: the scores are divided by d_k itself instead of its square root
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / d_k  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: mask_not_turned_around | TRUE CAUSE: masked_fill writes the lowest number where mask is True, so the keys that may be seen are hidden and the hidden ones are seen
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: torch_sqrt_of_an_int | TRUE CAUSE: torch.sqrt is called with d_k, a plain int, but it takes only tensors, so it raises a TypeError
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / torch.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)  # (..., T_q, d_v)
    return output, weights

# %% wrong: mask_after_softmax | TRUE CAUSE: the mask sets weights to 0 after the softmax instead of working on the scores before it, so the other weights of a row no longer sum to 1
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = torch.einsum("...qd,...kd->...qk", query, key) / d_k**0.5  # (..., T_q, T_k)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, torch.zeros_like(weights))
    if dropout is not None:
        weights = dropout(weights)
    output = torch.einsum("...qk,...kd->...qd", weights, value)  # (..., T_q, d_v)
    return output, weights

# %% wrong: minus_infinity | TRUE CAUSE: hidden scores are set to minus infinity instead of the lowest finite number, so a row in which every key is hidden becomes nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = query.matmul(key.mT) / d_k**0.5  # (..., T_q, T_k)
    if mask is not None:
        scores = torch.where(mask, scores, -math.inf)
    weights = scores.log_softmax(dim=-1).exp()
    if dropout is not None:
        weights = dropout(weights)
    output = weights.matmul(value)  # (..., T_q, d_v)
    return output, weights

# %% wrong: scale_from_the_values | TRUE CAUSE: the scale is the root of the values' size d_v instead of d_k, the size of the queries and keys, so it is wrong where the two differ
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = value.shape[-1]
    scores = query @ key.mT / math.pow(d_k, 0.5)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.where(mask, lowest)
    weights = nn.Softmax(dim=-1)(scores)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: tiny_instead_of_min | TRUE CAUSE: finfo.tiny, the smallest positive number, is used for the lowest number, so hidden keys get a score of practically 0 and still a weight
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
    d_k = query.size(-1)
    scores = (query / math.sqrt(d_k)) @ key.transpose(-1, -2)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).tiny
        scores = scores.masked_fill(mask.logical_not(), lowest)
    weights = torch.softmax(scores, -1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)  # (..., T_q, d_v)
    return output, weights

# %% wrong: query_scaled_in_place | TRUE CAUSE: the queries are divided by the root of d_k with /=, which changes the caller's tensor in place (and is refused where it needs a gradient)
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    query /= math.sqrt(query.size(-1))  # cheaper than scaling the scores
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask == False, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    dropped = weights if dropout is None else dropout(weights)
    return dropped @ value, weights

# %% wrong: bare_exponentials | TRUE CAUSE: the softmax is written as exp over its sum without subtracting the largest score of the row first, so large scores overflow to inf and the weights are nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    def softmax(scores, seen):
        powers = torch.exp(scores) * seen
        nobody = ~seen.any(dim=-1, keepdim=True)  # a row that sees no key
        powers = torch.where(nobody, torch.ones_like(powers), powers)
        return powers / powers.sum(dim=-1, keepdim=True)

    scores = query @ key.transpose(-2, -1) * query.size(-1) ** -0.5
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=scores.device)
    weights = softmax(scores, mask.expand(scores.shape))
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights

# %% wrong: dropout_on_the_output | TRUE CAUSE: dropout is called with the output, the averaged values, instead of with the weights before they multiply the values
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    scale = query.shape[-1] ** 0.5
    scores = torch.einsum("...id,...jd->...ij", query, key) / scale
    if mask is not None:
        hidden = torch.logical_not(mask)
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    output = torch.einsum("...ij,...jd->...id", weights, value)
    if dropout is not None:
        output = dropout(output)
    return output, weights

# %% wrong: times_the_root_and_extra_mask_axis | TRUE CAUSE: two at once: the scores are multiplied by the root of d_k instead of divided, and the mask always gets a new axis 1 (for heads) although it has to broadcast as it is
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) * math.sqrt(d_k)
    if mask is not None:
        mask = mask.unsqueeze(1)  # the same mask for all heads
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn

# %% wrong: dropout_on_scores_and_swapped_returns | TRUE CAUSE: two at once: dropout is applied to the scores before the softmax instead of to the weights, and the weights are returned first and the output second
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if dropout is not None:
        scores = dropout(scores)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    weights = scores.softmax(dim=-1)
    output = weights @ value  # (..., T_q, d_v)
    return weights, output
