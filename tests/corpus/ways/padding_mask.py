# %% right: ne_and_index
def padding_mask(ids, pad_id):
    return ids.ne(pad_id)[:, None, None, :]

# %% right: not_equal_reshaped
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    n, t = ids.shape
    padding = torch.eq(ids, pad_id)
    return torch.logical_not(padding).reshape(n, 1, 1, t)


# %% right: own_logical_not
def padding_mask(ids, pad_id):
    is_padding = torch.eq(ids, pad_id)
    return torch.logical_not(is_padding)[:, None, None, :]

# %% right: own_start_all_true_then_hide
def padding_mask(ids, pad_id):
    n, t = ids.shape
    visible = torch.ones(n, 1, 1, t, dtype=torch.bool, device=ids.device)
    hidden = (ids == pad_id).reshape(n, 1, 1, t)
    return visible.masked_fill(hidden, False)
