# %% wrong: upper_triangle | TRUE CAUSE: triu instead of tril: each position sees itself and the future instead of the past
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    mask = torch.triu(square).unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: without_diagonal | TRUE CAUSE: the diagonal is hidden, too (< instead of <=), so no position may see itself
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.arange(size, device=device).expand(size, size)
    mask = (square < square.T).unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: float_ones | TRUE CAUSE: the square is made without dtype=torch.bool, so the mask holds float ones and zeros instead of booleans
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones((size, size), device=device)
    mask = square.tril().unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: list_of_lists | TRUE CAUSE: two mistakes: the device argument is ignored, and the mask is (T, T), the two axes of size 1 in front are missing
def causal_mask(size, device=None):
    rows = []
    for query in range(size):
        rows.append([key <= query for key in range(size)])
    return torch.tensor(rows, dtype=torch.bool)


# %% wrong: row_not_square | TRUE CAUSE: torch.ones(size) is a single row of T numbers and no T by T square, and tril refuses a tensor with one axis (crash)
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, dtype=torch.bool, device=device)
    mask = torch.tril(square).unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask
