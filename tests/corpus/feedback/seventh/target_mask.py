# %% wrong: arguments_not_passed_on | TRUE CAUSE: two mistakes: padding_mask is given 0 instead of pad_id, and causal_mask is not given the device of ids
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, 0) & causal_mask(ids.size(-1))  # (N, 1, T, T)
    return mask


# %% wrong: masks_added | TRUE CAUSE: the two boolean masks are added, which for booleans is "or": a key may be seen as soon as one of the masks allows it, instead of only if both do
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) + causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask


# %% wrong: rows_of_padding_hidden_too | TRUE CAUSE: the padding is hidden as a query as well as a key (real is also applied along the rows), so the rows of padding see nothing although they may look like any other
def target_mask(ids, pad_id):
    real = padding_mask(ids, pad_id)  # (N, 1, 1, T)
    both_real = real & real.transpose(-2, -1)  # (N, 1, T, T)
    causal = causal_mask(ids.size(1), device=ids.device)
    return both_real & causal
