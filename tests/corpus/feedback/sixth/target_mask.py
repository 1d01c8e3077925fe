# %% wrong: size_of_batch | TRUE CAUSE: the causal part is made for ids.size(0), the number of sentences, instead of ids.size(1), their length
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(0), ids.device)  # (N, 1, T, T); blank: both
    return mask

# %% wrong: masks_added | TRUE CAUSE: the two masks are added, as additive masks are; of booleans + makes 'or', so a key is visible if either of the masks allows it
def target_mask(ids, pad_id):
    padding = padding_mask(ids, pad_id)
    future = causal_mask(ids.shape[1], device=ids.device)
    return padding + future

# %% wrong: padding_rows_hidden_too | TRUE CAUSE: hides padding as a query, too (its rows see nothing), where padding has a row of its own and is to be hidden as a key only
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    keys = padding_mask(ids, pad_id)  # (N, 1, 1, T)
    queries = keys.transpose(-2, -1)  # (N, 1, T, 1)
    mask = keys & queries & causal_mask(ids.size(1), ids.device)
    return mask

