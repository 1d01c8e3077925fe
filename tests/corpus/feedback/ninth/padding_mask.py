# %% wrong: difference_instead_of_comparison | TRUE CAUSE: `real = ids - pad_id` takes "not zero" for "True", so the mask that is returned holds integers (ids minus pad_id, also negative ones) and not booleans.
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids - pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: axis_of_queries | TRUE CAUSE: the second new axis is put last (`unsqueeze(1).unsqueeze(-1)`), so the mask is (N, 1, T, 1) and hides padding as a query instead of as a key.
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(-1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: own_up_to_last_real_token | TRUE CAUSE: everything up to the last real token is taken for real (`place <= last`), which holds for padding on the right only; padding on the left or in the middle stays visible.
def padding_mask(ids, pad_id):
    n, t = ids.shape
    place = torch.arange(t, device=ids.device)
    last = (place * (ids != pad_id)).amax(dim=1)  # where each sentence ends
    visible = place[None, :] <= last[:, None]
    return visible[:, None, None, :]

# %% wrong: own_zeroed_in_place | TRUE CAUSE: padding is overwritten by 0 in the caller's own tensor (`masked_fill_`) and then 0 is tested for, so with a pad_id other than 0 the batch itself is changed and a real token with the id 0 is hidden as well.
def padding_mask(ids, pad_id):
    tokens = ids.masked_fill_(ids == pad_id, 0)
    batch_size, length = tokens.shape
    return tokens.bool().view(batch_size, 1, 1, length)
