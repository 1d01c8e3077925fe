# %% right: logical_and
def target_mask(ids, pad_id):
    length = ids.shape[-1]
    return torch.logical_and(causal_mask(length, device=ids.device), padding_mask(ids, pad_id))

# %% right: fill_in_padding
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    n, t = ids.shape
    mask = causal_mask(t, ids.device).repeat(n, 1, 1, 1)
    return mask.masked_fill(~padding_mask(ids, pad_id), False)


# %% right: own_count_of_real_tokens
def target_mask(ids, pad_id):
    real = ids != pad_id
    so_far = real.long().cumsum(dim=1)  # how many real tokens stand up to each place
    # A real key with a number not above the query's stands at the query or before it.
    not_later = so_far[:, None, None, :] <= so_far[:, None, :, None]
    return not_later & real[:, None, None, :]

# %% right: own_sentence_by_sentence
def target_mask(ids, pad_id):
    n, t = ids.shape
    triangle = causal_mask(t, device=ids.device)
    result = triangle.repeat(n, 1, 1, 1)
    for sentence in range(n):
        keys = padding_mask(ids[sentence : sentence + 1], pad_id)
        result[sentence : sentence + 1] &= keys
    return result


# %% right: tenth_own_growing_prefix
def target_mask(ids, pad_id):
    n, t = ids.shape
    out = torch.zeros(n, 1, t, t, dtype=torch.bool, device=ids.device)
    for q in range(t):
        out[:, 0, q, : q + 1] = ids[:, : q + 1] != pad_id
    return out

# %% right: tenth_own_tril_of_keys
def target_mask(ids, pad_id):
    length = ids.shape[-1]
    keys = padding_mask(ids, pad_id)
    rows = keys.expand(-1, -1, length, -1)
    return rows.tril()


# %% right: eleventh_own_fill_each_sentence
def target_mask(ids, pad_id):
    n, t = ids.shape
    mask = torch.empty(n, 1, t, t, dtype=torch.bool, device=ids.device)
    for i in range(n):
        for query in range(t):
            mask[i, 0, query] = ids[i] != pad_id
            mask[i, 0, query, query + 1 :] = False
    return mask

# %% right: eleventh_own_hide_then_turn
def target_mask(ids, pad_id):
    hidden_future = ~causal_mask(ids.shape[1], device=ids.device)
    hidden_padding = ~padding_mask(ids, pad_id)
    return ~(hidden_future | hidden_padding)


# %% right: twelfth_own_rank_of_real_tokens
def target_mask(ids, pad_id):
    real = ids != pad_id
    rank = real.cumsum(dim=1)
    earlier = rank[:, None, None, :] <= rank[:, None, :, None]
    return earlier & real[:, None, None, :]
# %% right: twelfth_own_one_sentence_after_the_other
def target_mask(ids, pad_id):
    T = ids.shape[1]
    triangle = causal_mask(T, device=ids.device)[0]
    per_sentence = []
    for row in padding_mask(ids, pad_id):
        per_sentence.append(torch.where(row, triangle, torch.zeros_like(triangle)))
    return torch.stack(per_sentence, dim=0)
