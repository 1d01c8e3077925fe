# %% wrong: future-true | Marks the future with True, the convention of nn.Transformer, where True means hidden; in this course True means "may be attended to", so each position sees only those after it.
def causal_mask(size, device=None):
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = torch.triu(square, diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)  # (1, 1, T, T)
    return mask

# %% wrong: itself-hidden | Compares strictly, so the diagonal is False and a position doesn't see itself (the first one sees nothing); a position has its own token already and predicts the next one, so the diagonal is True.
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    earlier = place.unsqueeze(0) < place.unsqueeze(1)
    return earlier.view(1, 1, size, size)

# %% wrong: rows-for-columns | Queries and keys are on each other's axis: the row (query) is compared as if it were the key, so the upper triangle is True and each position sees itself and those after it.
def causal_mask(size, device=None):
    key, query = torch.meshgrid(
        torch.arange(size, device=device), torch.arange(size, device=device), indexing="ij"
    )
    mask = key <= query
    return mask[None, None]

# %% wrong: buffer-of-floats | Two mistakes. The mask holds the numbers 1.0 and 0.0, where it has to be boolean; and the device that was requested is ignored, so it is always on the CPU (or the default device).
def causal_mask(size, device=None):
    bias = torch.tril(torch.ones(size, size))
    return bias.view(1, 1, size, size)

# %% wrong: additive | Returns an additive mask, 0 where a key may be seen and minus infinity where it is hidden, as nn.Transformer.generate_square_subsequent_mask does; this mask has to be boolean, with True for what may be seen.
def causal_mask(size, device=None):
    mask = torch.full((size, size), float("-inf"), device=device)
    mask = torch.triu(mask, diagonal=1)
    return mask.unsqueeze(0).unsqueeze(0)

# %% right: compared-places
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    return place.view(1, 1, size, 1).ge(place)

# %% right: not-the-future
def causal_mask(size, device=None):
    attn_shape = (1, 1, size, size)
    subsequent = torch.triu(torch.ones(attn_shape, device=device), diagonal=1)
    return subsequent == 0
