# %% wrong: from_the_lengths | TRUE CAUSE: the mask is made from the number of real tokens, as if padding stood on the right always: with padding on the left or in the middle it hides the wrong places
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)  # (N, 1)
    real = torch.arange(ids.size(1), device=ids.device) < lengths  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: padding_hidden_as_query_too | TRUE CAUSE: the rows of the padding are hidden as well as its columns, (N, 1, T, T): padding should be hidden as a key only, and the mask be the same for all queries
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real[:, None, :, None] & real[:, None, None, :]
    return mask

# %% wrong: both_axes_in_front | TRUE CAUSE: both new axes are put in front, as in causal_mask, so the shape is (1, 1, N, T): the sentences stand where the queries should be
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(0).unsqueeze(0)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: true_at_padding_and_axes_mixed | TRUE CAUSE: two mistakes: the mask is True at the padding instead of at the real tokens, and it is (N, 1, T, 1), so it speaks of queries and not of keys
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(-1)  # (N, 1, 1, T); blank: axes
    return mask
