# %% wrong: padding-still-counted | Only the factor is mended (6 instead of 2); tokens is still the number of all ids, padding included.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids.numel()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: backward-as-dear-as-forward | Padding is left out, but the factor is 4: backward is counted like forward, 2 operations, although it needs twice as many (6 in all).
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = (ids != pad_id).sum().item()
    forward = 2 * weights * tokens
    backward = 2 * weights * tokens
    return (forward + backward) / seconds / peak

# %% wrong: ids-added-up | The factor is mended, but the real tokens are not counted: their ids are added up.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids[ids != pad_id].sum().item()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% right: forward-and-backward
def utilization(weights, ids, pad_id, seconds, peak):
    real = ids.numel() - int((ids == pad_id).sum())
    forward = 2 * weights * real
    backward = 2 * forward
    achieved = (forward + backward) / seconds
    return achieved / peak
