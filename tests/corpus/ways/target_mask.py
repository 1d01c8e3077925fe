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
