# %% wrong: upper_triangle | TRUE CAUSE: triu keeps the upper triangle, so each position sees itself and the future instead of the past
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    mask = torch.triu(square).unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: ones_and_zeros | TRUE CAUSE: the mask holds float ones and zeros instead of booleans
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, device=device)
    mask = torch.tril(square).unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: tril_not_called | TRUE CAUSE: the brackets behind tril are missing, so the method itself is asked for unsqueeze, which crashes
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones((size, size), dtype=torch.bool, device=device)
    mask = square.tril.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: brackets_missing | TRUE CAUSE: there are no brackets around the comparison, so the two unsqueezes go to its right side only and the mask has three axes, (1, T, T)
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.arange(size, device=device)
    mask = square[:, None] >= square.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: device_ignored | TRUE CAUSE: the argument device is not used, the mask always lies on the default device
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.full((size, size), True)
    mask = square.tril(diagonal=0).unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: one_ahead | TRUE CAUSE: tril with diagonal 1 keeps one diagonal too many, so each position sees the one after it
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, device=device).bool()
    mask = square.tril(1).unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask


# %% wrong: last_row_forgotten | TRUE CAUSE: the loop over the rows stops one too early, so the last position sees nothing
def causal_mask(size, device=None):
    mask = torch.zeros(1, 1, size, size, dtype=torch.bool, device=device)
    for row in range(size - 1):
        mask[:, :, row, : row + 1] = True
    return mask


# %% wrong: not_itself | TRUE CAUSE: the comparison is strict, so a position does not see itself and the first sees nothing
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    query, key = place.view(1, 1, size, 1), place.view(1, 1, 1, size)
    return query > key


# %% wrong: torchs_convention_flat | TRUE CAUSE: two at once: True means hidden, as in torch's own modules, and the mask is (T, T) without the two axes in front
def causal_mask(size, device=None):
    future = torch.ones(size, size, dtype=torch.bool, device=device)
    return torch.triu(future, diagonal=1)
