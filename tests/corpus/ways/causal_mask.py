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


# %% right: own_eye_cumsum
def causal_mask(size, device=None):
    diagonal = torch.eye(size, dtype=torch.long, device=device)
    return (diagonal.cumsum(dim=0) > 0)[None, None, :, :]

# %% right: own_loop_over_rows
def causal_mask(size, device=None):
    allowed = torch.zeros((1, 1, size, size), dtype=torch.bool, device=device)
    for query in range(size):
        allowed[:, :, query, : query + 1] = True
    return allowed


# %% right: tenth_own_compare_positions
def causal_mask(size, device=None):
    t = torch.arange(size, device=device)
    query, key = t.view(1, 1, size, 1), t.view(1, 1, 1, size)
    return query >= key

# %% right: tenth_own_loop_over_queries
def causal_mask(size, device=None):
    allowed = torch.zeros(1, 1, size, size, dtype=torch.bool, device=device)
    for row in range(size):
        allowed[:, :, row, : row + 1] = True
    return allowed


# %% right: eleventh_own_compare_places
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    query, key = place.view(1, 1, size, 1), place.view(1, 1, 1, size)
    return key <= query

# %% right: eleventh_own_running_sum_of_eye
def causal_mask(size, device=None):
    seen = torch.eye(size, device=device).cumsum(dim=0) > 0
    return seen[None, None]


# %% right: twelfth_own_compare_positions
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    return place[None, None, :, None] >= place[None, None, None, :]
# %% right: twelfth_own_running_sum_of_the_diagonal
def causal_mask(size, device=None):
    diagonal = torch.eye(size, dtype=torch.long, device=device)
    seen_so_far = diagonal.cumsum(dim=0)
    return (seen_so_far > 0).reshape(1, 1, size, size)
