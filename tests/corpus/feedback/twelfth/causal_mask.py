# %% wrong: additive_instead_of_boolean | TRUE CAUSE: confuses the conventions and makes an additive float mask (0 where allowed, minus infinity above the diagonal) instead of a boolean one with True for what may be seen
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.full((size, size), float("-inf"), device=device)
    triangle = torch.triu(square, diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask
# %% wrong: sees_the_next | TRUE CAUSE: tril is given diagonal=1, so each position also sees the one right after it
def causal_mask(size, device=None):
    """Hide from each position those after it: True on and below the diagonal."""
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = square.tril(diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask
# %% wrong: own_loop_on_cpu | TRUE CAUSE: the argument device is never used, so the mask is always made on the default device instead of the requested one
def causal_mask(size, device=None):
    allowed = torch.zeros(1, 1, size, size).bool()
    for query in range(size):
        allowed[0, 0, query, : query + 1] = True
    return allowed
# %% wrong: own_true_hides | TRUE CAUSE: the comparison is turned round: it is True where the key comes after the query, so True means hidden and the mask is the inverse of what the course asks for
def causal_mask(size, device=None):
    steps = torch.arange(size, device=device)
    query, key = steps.view(1, 1, size, 1), steps.view(1, 1, 1, size)
    return key > query
