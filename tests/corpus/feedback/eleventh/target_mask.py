# %% wrong: padding_as_query | TRUE CAUSE: the padding mask is transposed before it is combined, so padding is hidden as a query (its rows are all False) and stays visible as a key
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = padding_mask(ids, pad_id).transpose(-2, -1) & causal_mask(ids.size(1), ids.device)
    return mask

# %% wrong: causal_part_on_default_device | TRUE CAUSE: causal_mask is called without ids.device, so its part is on the default device and the two parts do not meet when ids are on another device
def target_mask(ids, pad_id):
    """Hide from each position of ids, (N, T), both padding and what comes after it."""
    mask = torch.logical_and(padding_mask(ids, pad_id), causal_mask(ids.shape[-1]))
    return mask

# %% wrong: own_triangle_of_real_length | TRUE CAUSE: for each sentence a triangle of the number of its real tokens is put into the upper left corner, so the rows of padding see nothing at all and padding on the left or in the middle puts the triangle over the wrong tokens
def target_mask(ids, pad_id):
    n, t = ids.shape
    mask = torch.zeros(n, 1, t, t, dtype=torch.bool, device=ids.device)
    for i, row in enumerate(ids):
        length = int((row != pad_id).sum())
        mask[i, 0, :length, :length] = causal_mask(length, ids.device)[0, 0]
    return mask

# %% wrong: own_one_mask_for_all | TRUE CAUSE: the loop narrows one single (1, 1, T, T) mask by each sentence in turn instead of keeping one per sentence, so a place that is padding in any sentence is hidden in all of them, and the batch axis is 1
def target_mask(ids, pad_id):
    visible = causal_mask(ids.size(1), ids.device)
    for sentence in ids:
        visible = visible & sentence.ne(pad_id)
    return visible
