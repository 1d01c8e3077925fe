# %% wrong: axes_counted_from_the_front | TRUE CAUSE: transpose(1, 2) swaps the last two axes of a tensor with three axes only; with a head axis it swaps heads and keys, and without a batch axis there is no axis 2
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    d_k = query.size(-1)
    scores = query @ key.transpose(1, 2) / math.sqrt(d_k)  # (..., T_q, T_k); blanks: scores, scale
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)  # blank: masked
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: where_is_not_masked_fill | TRUE CAUSE: Tensor.where keeps the scores where its condition is True (the opposite of masked_fill), so with ~mask the visible keys are hidden and the hidden ones are seen
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = (query @ key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.where(~mask, lowest)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value
    return output, weights

# %% wrong: softmax_by_hand_with_one_maximum | TRUE CAUSE: a softmax by hand subtracts the largest score of the whole tensor instead of that of each row: rows far below it, such as rows that see no key, underflow to 0 / 0 = nan
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-1, -2) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min  # not -inf: a row of nothing else would be nan
        scores = scores.masked_fill(~mask, lowest)
    powers = torch.exp(scores - scores.max())  # minus the maximum: exp cannot overflow
    weights = powers / powers.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights

# %% wrong: divides_by_the_inverse_root_and_drops_the_output | TRUE CAUSE: two mistakes: dividing by d_k ** -0.5 multiplies the scores by the root of d_k, and dropout is called with the output instead of the weights
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / d_k**-0.5
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(mask.logical_not(), lowest)
    weights = torch.softmax(scores, dim=-1)
    output = torch.matmul(weights, value)
    if dropout is not None:
        output = dropout(output)
    return output, weights
