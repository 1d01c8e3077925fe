# %% wrong: zero_is_padding_as_floats | TRUE CAUSE: two mistakes: ids are compared with 0 and not with pad_id, and the mask is made of floats 1.0 and 0.0 instead of True and False
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = (ids != 0).float()  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask


# %% wrong: padding_hidden_as_query | TRUE CAUSE: the second new axis is put last, (N, 1, T, 1), so the mask says which queries may look and not which keys may be seen
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(3)
    return mask


# %% wrong: counted_lengths | TRUE CAUSE: the real tokens are counted and the first so many positions marked as real, which is right only where all padding stands on the right
def padding_mask(ids, pad_id):
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)  # (N, 1)
    place = torch.arange(ids.size(1), device=ids.device)  # (T,)
    real = place < lengths  # (N, T)
    return real[:, None, None, :]
