# %% right: compare_places
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    query, key = place.view(1, 1, -1, 1), place.view(1, 1, 1, -1)
    return key <= query

# %% right: not_the_upper
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.full((1, 1, size, size), True, device=device)
    later = square.triu(diagonal=1)
    return ~later
