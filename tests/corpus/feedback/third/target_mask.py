# %% wrong: or_instead_of_and | TRUE CAUSE: the masks are combined with | (or), so a key is seen if either of them allows it instead of both
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)  # blank: both
    return mask

# %% wrong: device_forgotten | TRUE CAUSE: causal_mask is called without the device of ids, so that part of the mask is on the CPU
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1))  # (N, 1, T, T); blank: both
    return mask

# %% wrong: size_of_the_batch | TRUE CAUSE: the causal mask is as large as the number of sentences, ids.size(0), instead of the number of positions
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(len(ids), device=ids.device)
    return mask

# %% wrong: pad_id_fixed | TRUE CAUSE: passes 0 on to padding_mask instead of pad_id
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    length = ids.shape[1]
    padding = padding_mask(ids, 0)
    future = causal_mask(length, ids.device)
    return padding & future

# %% wrong: causal_only | TRUE CAUSE: the padding is forgotten: the causal mask is only expanded to one for each sentence
def target_mask(ids, pad_id):
    N, T = ids.shape
    mask = causal_mask(T, device=ids.device)
    return mask.expand(N, 1, T, T)

# %% wrong: padding_rows_hidden_too | TRUE CAUSE: padding is hidden as a query as well: its rows are all False, although only its columns should be hidden
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    padding = padding_mask(ids, pad_id)  # (N, 1, 1, T)
    padding = padding & padding.transpose(-1, -2)  # (N, 1, T, T)
    mask = padding & causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: future_and_rows_turned | TRUE CAUSE: two mistakes: the causal part is transposed, so the past is hidden instead of the future, and the padding is hidden as a query (row) instead of as a key
def target_mask(ids, pad_id):
    real = (ids != pad_id)[:, None, :, None]
    place = torch.arange(ids.size(1), device=ids.device)
    past = place[:, None] <= place[None, :]
    return real & past[None, None]
