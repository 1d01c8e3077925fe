# %% wrong: pytorch-module-sense | Is True above the diagonal, where the future must be hidden: the boolean convention of nn.Transformer, while in this course True means visible (on and below the diagonal).
def causal_mask(size, device=None):
    square = torch.ones(size, size, dtype=torch.bool, device=device)
    triangle = torch.triu(square, diagonal=1)
    mask = triangle.unsqueeze(0).unsqueeze(0)
    return mask

# %% wrong: nanogpt-ones | Returns a triangle of floats, ones and zeros, as nanoGPT keeps it for masked_fill(bias == 0); the contract is a boolean mask, and a float mask is added to the scores by torch's attention.
def causal_mask(size, device=None):
    bias = torch.tril(torch.ones(size, size, device=device))
    return bias.view(1, 1, size, size)

# %% wrong: on-the-cpu | Ignores the argument device, so the mask is always made on the CPU (the default device); the text wants it on the device that was requested.
def causal_mask(size, device=None):
    visible = torch.full((size, size), True)
    return visible.tril()[None, None]

# %% wrong: annotated-without-diagonal-1 | Writes subsequent_mask without diagonal=1: triu then also holds the diagonal, which becomes False, so no position sees itself, and the first sees nothing.
def causal_mask(size, device=None):
    attn_shape = (1, 1, size, size)
    subsequent = torch.triu(torch.ones(attn_shape, device=device)).type(torch.uint8)
    return subsequent == 0

# %% wrong: rows-and-columns-mixed-up | Mixes up the axes of query and key in the comparison: True where the key's position is at least the query's, so each position sees itself and the future instead of the past.
def causal_mask(size, device=None):
    steps = torch.arange(size, device=device)
    key, query = steps.view(1, 1, -1, 1), steps.view(1, 1, 1, -1)
    return key <= query

# %% right: compared-positions
def causal_mask(size, device=None):
    query = torch.arange(size, device=device).reshape(1, 1, size, 1)
    key = query.transpose(-2, -1)
    return query >= key

# %% right: annotated-zeros
def causal_mask(size, device=None):
    attn_shape = (1, 1, size, size)
    subsequent = torch.triu(torch.ones(attn_shape, device=device), diagonal=1)
    return subsequent == 0
