# %% wrong: either_is_enough | TRUE CAUSE: the two masks are joined by "or": a key may be seen if one of the masks allows it, where both must
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)  # (N, 1, T, T); blank: both
    return mask

# %% wrong: device_of_ids_forgotten | TRUE CAUSE: the causal part is made without a device, so it is on the CPU when ids are elsewhere
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1))  # (N, 1, T, T); blank: both
    return mask

# %% wrong: size_of_the_batch | TRUE CAUSE: the causal mask is as large as the batch: size(0), the number of sentences, taken for the length
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(0), device=ids.device)  # (N, 1, T, T); blank: both
    return mask

# %% wrong: only_the_future | TRUE CAUSE: hides the future only and forgets padding; it is just expanded to the shape
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = causal_mask(ids.size(1), ids.device).expand(ids.size(0), -1, -1, -1)  # (N, 1, T, T); blank: both
    return mask

# %% wrong: python_and | TRUE CAUSE: joins the tensors with the word "and", which asks a whole tensor for one truth value (an error with more than one element)
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) and causal_mask(ids.size(1), ids.device)  # (N, 1, T, T); blank: both
    return mask

# %% wrong: padding_rows_hidden_too | TRUE CAUSE: the rows of padding are hidden as well as its columns: padding as a query sees nothing, where the table by hand gives it a row like any other
def target_mask(ids, pad_id):
    pad = padding_mask(ids, pad_id)  # (N, 1, 1, T)
    square = pad & pad.transpose(-2, -1)  # (N, 1, T, T)
    mask = square & causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: padding_of_zero | TRUE CAUSE: passes 0 on as the id of padding and ignores pad_id
def target_mask(ids, pad_id=0):
    n, t = ids.shape
    future = causal_mask(t, ids.device)
    return future & padding_mask(ids, 0)

# %% wrong: turned_and_or | TRUE CAUSE: two mistakes: the causal mask is inverted as for nn.Transformer, and the parts are joined by "or"
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) | ~causal_mask(ids.shape[1], ids.device)  # (N, 1, T, T); blank: both
    return mask
