# %% wrong: only_backward | TRUE CAUSE: the factor 2 is mended to 4, the backward pass alone, instead of 6 for forward and backward together
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached."""
    tokens = (ids != pad_id).sum().item()
    operations = 4 * weights * tokens
    return operations / seconds / peak

# %% wrong: above_padding | TRUE CAUSE: tokens are counted where ids > pad_id instead of ids != pad_id, so with a pad_id above 0 the real tokens below it are lost
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached."""
    tokens = ids[ids > pad_id].numel()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: own_longest_row | TRUE CAUSE: tokens are the longest row's length times the number of rows, so the padding of shorter rows is still counted
def utilization(weights, ids, pad_id, seconds, peak):
    forward, backward = 2, 4
    lengths = ids.ne(pad_id).sum(dim=1)
    tokens = int(lengths.max()) * ids.size(0)
    done = (forward + backward) * weights * tokens
    return done / (seconds * peak)

# %% wrong: own_mean_of_real | TRUE CAUSE: the mean of the mask of real tokens, a share between 0 and 1, stands where their number should, so the result is too small by the factor N * T
def utilization(weights, ids, pad_id, seconds, peak):
    real = (ids != pad_id).float().mean().item()
    return 6 * weights * real / (seconds * peak)
