# %% wrong: true_where_padding | TRUE CAUSE: the comparison is the wrong way round: the mask is True at padding, as in nn.Transformer, where this course means "may be attended to"
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: hidden_as_query | TRUE CAUSE: the new axes are put at 1 and 3, giving (N, 1, T, 1): padding is hidden as a query (row) and not as a key (column)
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(3)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: zero_is_padding | TRUE CAUSE: padding is taken to be id 0 whatever pad_id says
def padding_mask(ids, pad_id):
    mask = (ids != 0)[:, None, None, :]
    return mask

# %% wrong: larger_than_pad | TRUE CAUSE: ids are treated as if they had an order: only ids above pad_id count as real, so tokens with smaller ids are hidden too
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids > pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: one_axis_short | TRUE CAUSE: only one axis is added, so the mask is (N, 1, T) and its sentences line up with the heads of the scores
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: padding_at_the_end | TRUE CAUSE: takes for granted that padding stands on the right: counts the real tokens of each row and shows the first that many places
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)  # (N, 1)
    place = torch.arange(ids.size(1), device=ids.device)
    real = place < lengths  # (N, T)
    return real.unsqueeze(1).unsqueeze(1)

# %% wrong: additive_numbers | TRUE CAUSE: writes an additive mask (0.0 and minus infinity, another convention) where a boolean one is wanted
def padding_mask(ids, pad_id):
    mask = torch.zeros(ids.shape, device=ids.device)
    mask = mask.masked_fill(ids == pad_id, float("-inf"))
    return mask[:, None, None, :]

# %% wrong: turned_and_axes_behind | TRUE CAUSE: two mistakes: the mask is True where padding stands, and the axes are added behind, giving (N, T, 1, 1)
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids.eq(pad_id)  # (N, T)
    mask = real.unsqueeze(-1).unsqueeze(-1)  # (N, 1, 1, T); blank: axes
    return mask
