# %% wrong: square_without_device | TRUE CAUSE: `torch.ones` is called without `device=device`, so the mask is always on the default device (CPU), whatever device was requested.
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: inverted_triu | TRUE CAUSE: `~torch.triu(square)` inverts an upper triangle that includes the diagonal, so no position may see itself, and the first row sees nothing.
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones((size, size), dtype=torch.bool, device=device)
    triangle = ~torch.triu(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: own_cached_by_size | TRUE CAUSE: masks are kept in a dict whose key is the size alone, so a later call with the same size and another device gets the mask on the first call's device (and every caller gets the same tensor, so that a change in place stays).
_masks = {}


def causal_mask(size, device=None):
    if size not in _masks:
        steps = torch.arange(size, device=device)
        _masks[size] = (steps.view(1, 1, 1, size) <= steps.view(1, 1, size, 1))
    return _masks[size]

# %% wrong: own_eye_cumsum_along_rows | TRUE CAUSE: the ones of the identity are summed up along the last axis (`cumsum(dim=-1)`) instead of down the rows (dim=0), which gives True on and above the diagonal: each position sees itself and the future.
def causal_mask(size, device=None):
    identity = torch.eye(size, device=device)
    filled = identity.cumsum(dim=-1)
    return filled.bool()[None, None]
