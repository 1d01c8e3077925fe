# %% wrong: padding_rows_hidden_too | TRUE CAUSE: the padding is hidden as a query as well, so its rows see nothing: in the text those rows may look at the real tokens before them
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    real = padding_mask(ids, pad_id)  # (N, 1, 1, T)
    future_hidden = causal_mask(ids.size(1), ids.device)  # (1, 1, T, T)
    return real & real.transpose(-2, -1) & future_hidden

# %% wrong: everybody_sees_itself | TRUE CAUSE: the diagonal is made visible again so that no row is empty: now each padding token sees itself, though padding has to be hidden from everybody
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    length = ids.size(1)
    mask = padding_mask(ids, pad_id) & causal_mask(length, ids.device)
    itself = torch.eye(length, dtype=torch.bool, device=ids.device)
    return mask | itself

# %% wrong: padding_axes_squeezed_away | TRUE CAUSE: squeeze removes the axes of size 1 of the padding mask, so (N, T) lines up with the queries and keys of the causal mask: sentences are taken for queries
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id).squeeze() & causal_mask(ids.size(1), device=ids.device)
    return mask

# %% wrong: padding_is_0_and_no_device | TRUE CAUSE: two mistakes: padding is taken to be token 0 and pad_id is ignored, and the causal mask is made without the device of ids
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, 0) & causal_mask(ids.size(1))  # (N, 1, T, T); blank: both
    return mask
