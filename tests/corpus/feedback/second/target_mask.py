# %% wrong: or_for_and | TRUE CAUSE: the two masks are joined with | instead of &, so a key may be seen if either of them allows it
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) | causal_mask(ids.size(1), ids.device)  # (N, 1, T, T)
    return mask


# %% wrong: batch_for_length | TRUE CAUSE: the causal mask is made for ids.size(0), the number of sentences, instead of ids.size(1), their length (crash unless they fit by chance)
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(0), device=ids.device)
    return mask


# %% wrong: device_forgotten | TRUE CAUSE: the causal mask is made without a device, so it lies on the CPU even where ids do not
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = torch.logical_and(causal_mask(ids.shape[-1]), padding_mask(ids, pad_id))
    return mask


# %% wrong: padding_rows_blind | TRUE CAUSE: padding is hidden as a query, too: the rows of the padding see nothing at all, although only its columns are to be hidden
def target_mask(ids, pad_id):
    real = ids != pad_id
    pairs = real[:, :, None] & real[:, None, :]  # (N, T, T)
    seen = pairs.tril()
    return seen.unsqueeze(1)


# %% wrong: strict_and_first_sentence | TRUE CAUSE: two mistakes: the diagonal is hidden as well, and the padding of the first sentence is used for all sentences
def target_mask(ids, pad_id):
    n, t = ids.shape
    place = torch.arange(t, device=ids.device)
    past = place[None, :] < place[:, None]
    real = ids[0] != pad_id
    return (past & real).expand(n, 1, t, t)
