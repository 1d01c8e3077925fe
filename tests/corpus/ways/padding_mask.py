# %% right: ne_and_index
def padding_mask(ids, pad_id):
    return ids.ne(pad_id)[:, None, None, :]

# %% right: not_equal_reshaped
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    n, t = ids.shape
    padding = torch.eq(ids, pad_id)
    return torch.logical_not(padding).reshape(n, 1, 1, t)
