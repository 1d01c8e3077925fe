# %% wrong: either | TRUE CAUSE: the two masks are joined by or instead of and, so a key is visible if only one of them allows it
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask


# %% wrong: causal_at_home | TRUE CAUSE: causal_mask is not told the device of ids, so it lies on the default device
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1))  # (N, 1, T, T)
    return mask


# %% wrong: size_of_batch | TRUE CAUSE: the size of the causal mask is read from axis 0, the number of sentences, instead of axis 1
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(0), ids.device)  # (N, 1, T, T)
    return mask


# %% wrong: word_and | TRUE CAUSE: Python's word `and` is used between tensors instead of &, which asks for the truth of a whole tensor and crashes
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) and causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask


# %% wrong: padding_forgotten | TRUE CAUSE: the mask is causal only, padding is not hidden
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = causal_mask(ids.shape[-1], device=ids.device).expand(len(ids), -1, -1, -1)
    return mask


# %% wrong: both_alike | TRUE CAUSE: the masks are compared for equality instead of joined by and, so padding in the future, which both forbid, becomes visible
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = torch.eq(causal_mask(ids.size(-1), ids.device), padding_mask(ids, pad_id))
    return mask


# %% wrong: padding_rows_empty | TRUE CAUSE: padding is hidden as a query as well, so its rows see nothing at all
def target_mask(ids, pad_id):
    real = ids.ne(pad_id)
    keys = real[:, None, None, :]
    queries = real[:, None, :, None]
    return causal_mask(ids.size(1), ids.device).logical_and(keys).logical_and(queries)


# %% wrong: diagonal_opened | TRUE CAUSE: the diagonal is opened again after joining, so padding sees itself and is visible as a key
def target_mask(ids, pad_id):
    T = ids.size(1)
    seen = padding_mask(ids, pad_id).logical_and(causal_mask(T, ids.device))
    # every position may see itself, or else a row could stay empty
    itself = torch.eye(T, dtype=torch.bool, device=ids.device)
    return seen | itself


# %% wrong: product_without_self | TRUE CAUSE: two at once: the result is a product of floats instead of a boolean mask, and its own triangle leaves out the diagonal
def target_mask(ids, pad_id):
    N, T = ids.shape
    no_padding = padding_mask(ids, pad_id).float()  # (N, 1, 1, T)
    no_future = torch.ones(T, T, device=ids.device).tril(-1)
    return no_padding * no_future
