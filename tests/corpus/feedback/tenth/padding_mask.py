# %% wrong: axes_for_queries | TRUE CAUSE: the second unsqueeze puts the axis of size 1 last instead of third, so the mask is (N, 1, T, 1) and hides the rows of padding queries instead of the columns of padding keys
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(3)  # (N, 1, 1, T)
    return mask

# %% wrong: from_lengths | TRUE CAUSE: real is computed from the number of real tokens as if padding always stood on the right, so with padding on the left or in between the wrong positions are hidden
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)  # (N, 1)
    positions = torch.arange(ids.size(1), device=ids.device)
    real = positions < lengths  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T)
    return mask

# %% wrong: own_subtract_pad | TRUE CAUSE: `ids -= pad_id` subtracts in place, so the mask is right but the caller's ids are changed whenever pad_id is not 0 (and a second call on them gives another mask)
def padding_mask(ids, pad_id):
    # pad becomes 0, everything else is not 0
    ids -= pad_id
    return ids.bool()[:, None, None, :]

# %% wrong: own_outer_product | TRUE CAUSE: the mask is the outer product of real with itself, (N, 1, T, T), so the rows of padding queries are hidden too and the shape is not (N, 1, 1, T)
def padding_mask(ids, pad_id):
    keep = (ids != pad_id).float()
    pairs = torch.einsum("nq,nk->nqk", keep, keep)
    return (pairs > 0)[:, None]
