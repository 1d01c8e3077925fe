# %% right: compare_places
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    query, key = place.view(1, 1, -1, 1), place.view(1, 1, 1, -1)
    return key <= query
# %% right: thirteenth_own_cumulated_diagonal
def causal_mask(size, device=None):
    diagonal = torch.eye(size, device=device)
    seen = diagonal.cumsum(dim=0)  # once seen, a key stays seen in all rows below
    return seen.to(torch.bool).view(1, 1, size, size)
