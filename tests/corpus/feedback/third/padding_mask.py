# %% wrong: true_is_padding | TRUE CAUSE: the comparison is the wrong way round: True stands at the padding, but True means may be attended to
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids == pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(2)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: greater_than_pad | TRUE CAUSE: ids > pad_id treats ids as ordered, so real tokens with an id below pad_id are hidden, too
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids > pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: query_axis | TRUE CAUSE: the axes are (N, 1, T, 1): the padding is hidden as a query (row) instead of as a key (column)
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(1).unsqueeze(-1)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: axes_in_front | TRUE CAUSE: both new axes are put in front, as in the causal mask, so the mask is (1, 1, N, T) and the sentences stand where the queries belong
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    real = ids != pad_id  # (N, T)
    mask = real.unsqueeze(0).unsqueeze(0)  # (N, 1, 1, T); blank: axes
    return mask

# %% wrong: padding_rows_hidden_too | TRUE CAUSE: hides padding as a query, too: makes an (N, 1, T, T) mask whose padding rows are all False, but the mask should be (N, 1, 1, T), the same for all queries
def padding_mask(ids, pad_id):
    real = ids != pad_id
    both = real.unsqueeze(1) & real.unsqueeze(2)  # query and key must be real
    return both.unsqueeze(1)

# %% wrong: numbers_not_booleans | TRUE CAUSE: the mask holds the numbers 1 and 0, as of a tokenizer, instead of True and False
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    N, T = ids.shape
    real = (ids != pad_id).long()
    return real.view(N, 1, 1, T)

# %% wrong: padding_on_the_right_only | TRUE CAUSE: counts the real tokens and lets the first so many columns be seen, which is right only where all padding stands at the right end
def padding_mask(ids, pad_id):
    """Hide the padding of ids, (N, T), from every head and every query."""
    lengths = (ids != pad_id).sum(dim=1, keepdim=True)  # (N, 1)
    real = torch.arange(ids.size(1), device=ids.device) < lengths  # (N, T)
    return real[:, None, None, :]

# %% wrong: zero_and_additive | TRUE CAUSE: two mistakes: padding is taken to be 0 whatever pad_id says, and the result is an additive mask of 0 and -inf instead of a boolean one
def padding_mask(ids, pad_id):
    mask = torch.zeros(ids.shape, device=ids.device)
    mask = mask.masked_fill(ids == 0, float("-inf"))
    return mask.unsqueeze(1).unsqueeze(2)
