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
# %% right: field_annotated_triu_of_ones
def causal_mask(size, device=None):
    attn_shape = (1, 1, size, size)
    subsequent = torch.triu(torch.ones(attn_shape, device=device), diagonal=1).type(torch.uint8)
    return subsequent == 0
# %% right: field_tril_of_ones
def causal_mask(size, device=None):
    return torch.tril(torch.ones((size, size), device=device)).bool().view(1, 1, size, size)
