# %% wrong: either_instead_of_both | TRUE CAUSE: the masks are joined with | (or): what either of them allows may be seen, instead of only what both allow.
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask


# %% wrong: tril_of_the_padding_mask | TRUE CAUSE: tril is applied to the padding mask itself, whose matrices are 1 by T: only the first column is left, the shape stays (N, 1, 1, T), and no causal square is ever made.
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    padding = padding_mask(ids, pad_id)
    mask = padding.tril()  # cut off the future
    return mask


# %% wrong: pad_zero_and_no_device | TRUE CAUSE: two mistakes: padding is taken to be id 0 whatever pad_id says, and the causal mask is made without ids.device, on the CPU.
def target_mask(ids, pad_id):
    _, length = ids.shape
    padding = padding_mask(ids, 0)
    future = causal_mask(length)
    return padding & future
