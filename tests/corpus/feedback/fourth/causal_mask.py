# %% wrong: upper_triangle | TRUE CAUSE: keeps the upper triangle: each position sees itself and what comes after it, not what came before
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = torch.triu(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: not_itself | TRUE CAUSE: the diagonal is left out, so a position does not see itself and the first row sees nothing
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril(diagonal=-1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: sees_the_next | TRUE CAUSE: the diagonal is one too high: each position also sees the token after it, which is the one it has to predict
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = torch.tril(square, diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: floats | TRUE CAUSE: dtype forgotten: the mask is made of the floats 1.0 and 0.0 and is not boolean
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, device=device)
    triangle = square.tril()
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: device_forgotten | TRUE CAUSE: the requested device is ignored: the mask is always made on the CPU
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size).bool()
    triangle = square.tril()
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: library_convention | TRUE CAUSE: True marks what is hidden (everything above the diagonal), as in nn.Transformer, not what may be seen
def causal_mask(size, device=None):
    """Hide from each position those after it."""
    place = torch.arange(size, device=device)
    later = place.unsqueeze(0) > place.unsqueeze(1)  # key after query
    return later.unsqueeze(0).unsqueeze(0)

# %% wrong: minus_infinity | TRUE CAUSE: an additive mask (0 and minus infinity) is returned where a boolean one is wanted
def causal_mask(size, device=None):
    mask = torch.full((size, size), float("-inf"), device=device)
    mask = torch.triu(mask, diagonal=1)
    return mask[None, None]

# %% wrong: no_axes_no_device | TRUE CAUSE: two mistakes: the result is (T, T) without the two axes in front, and it ignores the device
def causal_mask(size, device=None):
    square = torch.ones(size, size, dtype=torch.bool)
    return square.tril()
