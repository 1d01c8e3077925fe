# %% wrong: key_axes_counted_from_front | TRUE CAUSE: the key is transposed with transpose(1, 2), counted from the front, which is right only for (N, T, d_k); with a heads axis it swaps heads and words, and without a batch axis there is no axis 2.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1).

    query is (..., T_q, d_k), key (..., T_k, d_k) and value (..., T_k, d_v). Where mask is False
    a key is hidden: its weight is 0. A row that sees no key weighs all of them alike.
    Returns the output and the weights.
    """
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


# %% wrong: scaled_by_number_of_keys | TRUE CAUSE: the scores are divided by the square root of the number of keys T_k (key.size(-2)) instead of the length d_k of the vectors; the dot product adds up d_k products, not T_k of them.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    number_of_keys = key.size(-2)
    scores = torch.matmul(query, key.transpose(-2, -1))  # (..., T_q, T_k)
    scores = scores / math.sqrt(number_of_keys)
    if mask is not None:
        lowest = torch.finfo(scores.dtype).min
        scores = scores.masked_fill(~mask, lowest)
    weights = torch.softmax(scores, dim=-1)
    if dropout is not None:
        weights = dropout(weights)
    output = torch.matmul(weights, value)  # (..., T_q, d_v)
    return output, weights


# %% wrong: tiny_positive_fill_and_dropout_lost | TRUE CAUSE: two mistakes: hidden scores are set to 1e-9 (about 0, a score like any other; -1e9 was meant), so nothing is hidden; and dropout's result is not kept, since it is called as if it changed the weights in place.
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    """Average the values, each weighted by how well its key matches the query (Eq. 1)."""
    d_k = query.size(-1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(d_k)  # (..., T_q, T_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, 1e-9)
    weights = scores.softmax(dim=-1)
    if dropout is not None:
        dropout(weights)
    output = weights @ value  # (..., T_q, d_v)
    return output, weights
