# %% wrong: four | TRUE CAUSE: padding is left out now, but only the 4 operations of backward are counted, not 2 + 4 = 6
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = (ids != pad_id).sum().item()  # to compute padding is no achievement
    operations = 4 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak

# %% wrong: counts_the_padding | TRUE CAUSE: the 6 operations are right, but the comparison is the wrong way round, so padding is counted instead of real tokens
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = int(ids.eq(pad_id).sum())  # to compute padding is no achievement
    operations = 6 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak

# %% wrong: pad_is_zero | TRUE CAUSE: the 6 operations are right, but padding is taken to be 0 and pad_id is ignored
def utilization(weights, ids, pad_id, seconds, peak):
    real_tokens = torch.count_nonzero(ids).item()
    forward = 2 * weights * real_tokens
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)
