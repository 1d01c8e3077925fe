# %% wrong: device_left_out | TRUE CAUSE: the device argument is never used, so the mask is always made on the CPU (or the default device) instead of where it was requested
def causal_mask(size, device=None):
    return torch.ones(1, 1, size, size, dtype=torch.bool).tril()


# %% wrong: diagonal_hidden | TRUE CAUSE: tril(-1) also removes the diagonal, so a position may not see itself and the first row sees nothing at all
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril(-1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: rows_taken_for_keys | TRUE CAUSE: row and column are mixed up in the comparison: row i, column j is True where i <= j, so each position sees itself and the future and not the past
def causal_mask(size, device=None):
    """Hide from each position those after it."""
    place = torch.arange(size, device=device)
    allowed = place.unsqueeze(1) <= place.unsqueeze(0)  # (T, T)
    return allowed.unsqueeze(0).unsqueeze(0)
