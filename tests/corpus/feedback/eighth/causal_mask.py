# %% wrong: one_step_ahead | TRUE CAUSE: tril(diagonal=1) lets each position also see the one after it, which is the token it has to predict.
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril(diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: numbers_not_booleans | TRUE CAUSE: the square is made of float ones, without dtype=torch.bool, so the mask holds 1.0 and 0.0 instead of True and False.
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, device=device)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: query_and_key_exchanged | TRUE CAUSE: rows and columns are exchanged in the comparison: row <= column is True on and above the diagonal, so each position sees the future and not the past.
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    row = place.unsqueeze(1)
    column = place.unsqueeze(0)
    return (row <= column)[None, None]
