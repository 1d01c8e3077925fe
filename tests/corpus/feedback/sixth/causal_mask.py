# %% wrong: float_on_cpu | TRUE CAUSE: two mistakes: torch.ones without dtype makes a mask of floats instead of booleans; and device is not passed on
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: upper_triangle | TRUE CAUSE: triu instead of tril: it keeps the future and hides the past (takes rows for keys and columns for queries)
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.triu()
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: without_diagonal | TRUE CAUSE: strictly smaller: a position may not see itself, because the student thinks its own token is the one to predict
def causal_mask(size, device=None):
    """Hide from each position those after it."""
    place = torch.arange(size, device=device)
    triangle = place[None, :] < place[:, None]  # key before query
    return triangle[None, None]

