# %% wrong: moved_copy_thrown_away | TRUE CAUSE: Tensor.to returns a moved copy, and its result is not kept: the mask is on the CPU whatever device was requested
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool)
    if device is not None:
        square.to(device)
    triangle = square.tril()
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: sees_the_next_one | TRUE CAUSE: tril(diagonal=1) lets each position see the one after it as well, which is just the token that it has to predict
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril(diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: numbers_and_the_hidden_triangle | TRUE CAUSE: two mistakes: the mask holds the numbers 0 and 1 instead of booleans, and it marks what is hidden (above the diagonal) instead of what may be seen
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, device=device)
    triangle = square.triu(diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: slice_ends_before_itself | TRUE CAUSE: the slice [:row] ends before the position itself, so the diagonal is hidden, and position 0 sees nothing at all
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    mask = torch.zeros(1, 1, size, size, dtype=torch.bool, device=device)
    for row in range(size):
        mask[..., row, :row] = True
    return mask
