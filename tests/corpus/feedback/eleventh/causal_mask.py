# %% wrong: sees_the_one_it_predicts | TRUE CAUSE: off by one in `triangle`: tril(1) keeps one diagonal too many, so each position also sees the next token, the one it has to predict
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril(1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: device_ignored | TRUE CAUSE: `square` is made without `device`, so the mask is always on the default device (the CPU) whatever device was requested
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.full((size, size), True)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: own_loop_first_row_rescued | TRUE CAUSE: the slice `:max(query, 1)` leaves out the position itself in every row but the first, so from row 1 on the diagonal is False
def causal_mask(size, device=None):
    allowed = torch.zeros(1, 1, size, size, dtype=torch.bool, device=device)
    for query in range(size):
        allowed[0, 0, query, : max(query, 1)] = True
    return allowed

# %% wrong: own_additive_convention | TRUE CAUSE: the student takes the additive convention and returns a float mask with 0.0 where a position may look and minus infinity where it may not, instead of a boolean mask with True for visible
def causal_mask(size, device=None):
    scores = torch.zeros(size, size, device=device)
    above = torch.arange(size, device=device)[None, :] > torch.arange(size, device=device)[:, None]
    return scores.masked_fill(above, float("-inf")).view(1, 1, size, size)
