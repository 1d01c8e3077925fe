# %% wrong: upper-triangle | Keeps the upper triangle with triu, so every position sees itself and the future instead of the past: rows and columns are mixed up.
def causal_mask(size, device=None):
    square = torch.ones((1, 1, size, size), device=device)
    return torch.triu(square) > 0

# %% wrong: one-ahead | Keeps one diagonal too many, tril(diagonal=1), so each position sees the next token as well, the very one that it has to predict.
def causal_mask(size, device=None):
    square = torch.full((size, size), True, device=device)
    triangle = torch.tril(square, diagonal=1)
    return triangle[None, None]

# %% wrong: compared-the-wrong-way | Compares positions but takes the column vector for the keys and the row vector for the queries, so a query sees the keys at or after it: the transpose of the mask.
def causal_mask(size, device=None):
    query = torch.arange(size, device=device)
    key = query.unsqueeze(-1)
    return (key <= query).expand(1, 1, size, size)

# %% wrong: two-strict-and-two-axes | Two mistakes. Compares with < instead of <=, so that a position does not see itself; and returns (T, T) without the two axes of size 1 in front that the contract (1, 1, T, T) names.
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    return place[None, :] < place[:, None]

# %% right: compared-positions
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    return (place[:, None] >= place[None, :])[None, None]

# %% right: annotated-way
def causal_mask(size, device=None):
    subsequent = torch.triu(torch.ones(1, 1, size, size, device=device), diagonal=1)
    return subsequent == 0
