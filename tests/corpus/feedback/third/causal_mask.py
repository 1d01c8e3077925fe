# %% wrong: upper_triangle | TRUE CAUSE: triu instead of tril: each position sees itself and what comes after, not what came before
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.triu()
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: without_the_diagonal | TRUE CAUSE: diagonal=-1 leaves the diagonal out: a position does not see itself, and the first one sees nothing
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = torch.tril(square, diagonal=-1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: one_ahead | TRUE CAUSE: diagonal=1 lets each position see the next token as well, which is the one it is to predict
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones((size, size), device=device).bool()
    triangle = square.tril(1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: float_ones | TRUE CAUSE: the square is of float ones, so the mask holds 1.0 and 0.0 and is not boolean
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, device=device)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: device_ignored | TRUE CAUSE: the device argument is not used, so the mask is always on the CPU
def causal_mask(size, device=None):
    place = torch.arange(size)
    visible = place.unsqueeze(0) <= place.unsqueeze(1)
    return visible[None, None]

# %% wrong: true_means_hidden | TRUE CAUSE: follows the convention of nn.Transformer: True above the diagonal marks what is hidden, but here True means may be seen
def causal_mask(size, device=None):
    """Hide from each position those after it."""
    ones = torch.ones(1, 1, size, size, device=device)
    return torch.triu(ones, diagonal=1) == 1

# %% wrong: two_axes_only | TRUE CAUSE: returns (T, T): the two axes of size 1 for sentences and heads were lost in rewriting
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    return torch.tril(torch.ones(size, size, dtype=torch.bool, device=device))

# %% wrong: additive_and_on_cpu | TRUE CAUSE: two mistakes: the mask is additive (0 and -inf) instead of boolean, and it ignores the device
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.full((size, size), float("-inf"))
    triangle = torch.triu(square, diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask
