# %% wrong: float_square | TRUE CAUSE: the square is made by torch.ones without dtype=torch.bool, so the mask holds the floats 1.0 and 0.0 instead of True and False
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, device=device)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: triu_marks_the_future | TRUE CAUSE: triangle keeps what lies above the diagonal, so True marks what is to be hidden (the convention of nn.Transformer) instead of what may be seen
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.triu(diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: own_loop_slices | TRUE CAUSE: the slice `:query` ends before the query's own column, so the diagonal is False and no position sees itself
def causal_mask(size, device=None):
    mask = torch.zeros((1, 1, size, size), dtype=torch.bool, device=device)
    for query in range(size):
        mask[0, 0, query, :query] = True
    return mask

# %% wrong: own_remember_masks | TRUE CAUSE: the cache is keyed by size alone, so a later call with the same size and another device gets the mask on the device of the first call (and all callers share one tensor)
made_already = {}


def causal_mask(size, device=None):
    if size not in made_already:
        place = torch.arange(size, device=device)
        made_already[size] = (place[None, :] <= place[:, None])[None, None]
    return made_already[size]
