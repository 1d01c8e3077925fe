# %% wrong: ones-stay-float | as in minGPT the mask is made of floating point ones and zeros; it is to be boolean.
def causal_mask(size, device=None):
    square = torch.ones(size, size, device=device)
    triangle = torch.tril(square)
    mask = triangle.unsqueeze(0).unsqueeze(0)
    return mask

# %% wrong: subsequent-not-compared | copied from subsequent_mask of the Annotated Transformer without its last "== 0": the mask is True above the diagonal, where the future is, so it is inverted.
def causal_mask(size, device=None):
    attn_shape = (1, 1, size, size)
    subsequent_mask = torch.triu(torch.ones(attn_shape, device=device), diagonal=1).type(torch.uint8)
    return subsequent_mask.bool()

# %% wrong: transposed-and-on-the-cpu | two mistakes: the comparison is transposed (a query sees itself and the keys after it, the upper triangle); and the device argument is ignored, so the mask is always on the CPU.
def causal_mask(size, device=None):
    place = torch.arange(size)
    query, key = place.view(1, 1, -1, 1), place.view(1, 1, 1, -1)
    return query <= key

# %% wrong: fixed-block-size | a triangle of block_size 256 is cut to size: for more than 256 positions the slice is just 256 by 256, so the mask is too small.
block_size = 256
tril = torch.tril(torch.ones(block_size, block_size, dtype=torch.bool)).view(1, 1, block_size, block_size)
def causal_mask(size, device=None):
    return tril[:, :, :size, :size].to(device)

# %% wrong: loop-never-moves-on | the rows are filled in a while loop whose counter is never raised: it fills the first row again and again and never ends.
def causal_mask(size, device=None):
    mask = torch.zeros(1, 1, size, size, dtype=torch.bool, device=device)
    row = 0
    while row < size:
        mask[0, 0, row, : row + 1] = True
    return mask

# %% right: places-compared
def causal_mask(size, device=None):
    place = torch.arange(size, device=device)
    may_look = place[None, :] <= place[:, None]
    return may_look[None, None]
