# %% wrong: hidden-is-true | triu(diagonal=1) marks the future, the places that are to be hidden, with True, and the Annotated Transformer's last step (== 0, which inverts it) is missing; in this course True means "may be seen", so each position sees the later ones only.
def causal_mask(size, device=None):
    attn_shape = (1, 1, size, size)
    subsequent_mask = torch.triu(torch.ones(attn_shape, device=device), diagonal=1)
    return subsequent_mask.type(torch.bool)

# %% wrong: bias-buffer | Two mistakes. As in minGPT and nanoGPT, the mask is a triangle of float ones and zeros, but it has to be boolean (there it goes through `== 0`); and it is always made on the CPU, since `device` is not used.
def causal_mask(size, device=None):
    bias = torch.tril(torch.ones(size, size))
    return bias.view(1, 1, size, size)

# %% wrong: not-itself | The comparison is strict, so the diagonal is False and no position sees itself (the first one sees nothing at all); the mask has to be True on and below the diagonal, since the decoder already has the token and predicts the one after.
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    key_is_earlier = place[None, :] < place[:, None]
    return key_is_earlier[None, None]

# %% wrong: upper-triangle | Rows and columns are mixed up: the place of the row (the query) is compared as <= that of the column (the key), so the mask is True on and ABOVE the diagonal, and each position sees itself and the future.
def causal_mask(size, device=None):
    key = torch.arange(size, device=device).view(1, 1, size, 1)
    query = torch.arange(size, device=device).view(1, 1, 1, size)
    return key <= query

# %% wrong: cached-without-device | Masks are kept in a dictionary by their size alone, so a mask that was first made on one device is returned when another one is requested: what the function remembers changes a later result, and the mask is not on the requested device. (Also, all calls share one tensor.)
_known_masks = {}
def causal_mask(size, device=None):
    if size not in _known_masks:
        full = torch.full((size, size), True, device=device)
        _known_masks[size] = torch.tril(full)[None, None]
    return _known_masks[size]

# %% right: row-by-row
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    rows = [place <= row for row in range(size)]
    return torch.stack(rows).view(1, 1, size, size)
