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
