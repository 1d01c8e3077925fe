# %% wrong: zero_is_padding_too | TRUE CAUSE: believes that id 0 is padding whatever pad_id says, so `real` also excludes 0 and a real token with id 0 is hidden when pad_id is another number
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = (ids != pad_id) & (ids != 0)  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T)
    return mask
# %% wrong: axis_in_front | TRUE CAUSE: the first unsqueeze puts its axis at place 0 instead of 1, so the mask is (1, N, 1, T) and the sentences lie on the axis of the heads
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(0).unsqueeze(2)  # (N, 1, 1, T)
    return mask
# %% wrong: own_subtract_in_place | TRUE CAUSE: `ids -= pad_id` works in place, so the mask is right but the caller's ids are changed whenever pad_id is not 0
def padding_mask(ids, pad_id):
    # what is left over after subtracting is zero only for padding
    ids -= pad_id
    return ids.bool()[:, None, None, :]
# %% wrong: own_count_lengths | TRUE CAUSE: counts the real tokens of each sentence and lets the first so many places be seen, which takes for granted that padding stands on the right; with padding on the left or in the middle the wrong places are hidden
def padding_mask(ids, pad_id):
    N, T = ids.shape
    lengths = (ids != pad_id).sum(dim=1)
    positions = torch.arange(T, device=ids.device)
    visible = positions[None, :] < lengths[:, None]
    return visible.view(N, 1, 1, T)
