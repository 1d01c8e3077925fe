# %% wrong: device_forgotten | TRUE CAUSE: causal_mask is called without device=ids.device, so its part is on the CPU and cannot be combined with the padding part when ids are on another device
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id) & causal_mask(ids.size(1))  # (N, 1, T, T)
    return mask

# %% wrong: padding_rows_too | TRUE CAUSE: the padding mask is also applied transposed, so padding is hidden as a query too and its rows are all False, where the text hides it as a key only
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    keys = padding_mask(ids, pad_id)
    mask = keys & keys.transpose(-2, -1) & causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: own_keep_diagonal | TRUE CAUSE: the diagonal is switched on again so that no row is empty, which lets every padding token look at itself although padding is hidden as a key from everyone
def target_mask(ids, pad_id):
    n, t = ids.shape
    place = torch.arange(t, device=ids.device)
    past = place[:, None] >= place[None, :]
    visible = past[None] & (ids != pad_id)[:, None, :]
    # never leave a row without anything to look at
    visible = visible | torch.eye(t, dtype=torch.bool, device=ids.device)
    return visible.view(n, 1, t, t)

# %% wrong: own_repeat_then_clear | TRUE CAUSE: `table[ids == pad_id] = False` indexes the first two axes (sentence, query), so it clears the rows of padding tokens and leaves their columns visible
def target_mask(ids, pad_id):
    triangle = causal_mask(ids.shape[1], ids.device)[0, 0]
    table = triangle.repeat(ids.shape[0], 1, 1)
    table[ids == pad_id] = False
    return table[:, None]
