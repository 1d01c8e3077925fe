# %% wrong: greater_than_pad | TRUE CAUSE: compares ids > pad_id, as if padding had the smallest id; ids are names without an order, so real tokens below pad_id are hidden
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids > pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: hides_queries_not_keys | TRUE CAUSE: the axes end as (N, 1, T, 1): the rows (queries) of padding are hidden instead of the columns (keys)
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(-1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: lengths_from_the_left | TRUE CAUSE: two mistakes: it counts the real tokens and takes that many from the left, so it assumes padding on the right; and the arange is made on the CPU, not on the device of ids
def padding_mask(ids, pad_id):
    lengths = (ids != pad_id).sum(dim=1)  # (N,)
    places = torch.arange(ids.size(1))
    real = places[None, :] < lengths[:, None].to(places.device)  # (N, T)
    return real[:, None, None, :]

