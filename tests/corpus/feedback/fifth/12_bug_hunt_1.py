# %% wrong: backward_as_much_as_forward | TRUE CAUSE: the padding is fixed, but backward is counted as much as forward, 2 and 2 operations, instead of twice as much
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = (2 + 2) * weights * tokens
    return operations / seconds / peak

# %% wrong: zero_is_the_padding | TRUE CAUSE: real tokens are those that are not 0 (torch.count_nonzero): right only where pad_id is 0
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = torch.count_nonzero(ids).item()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: share_of_real_tokens | TRUE CAUSE: tokens is the share of real tokens (mean) instead of their number, so the result is too small by the number of positions
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).float().mean().item()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: longest_row_in_percent | TRUE CAUSE: two mistakes: tokens counts N rows of the longest row's real tokens, so shorter rows' padding still counts, and the share is returned in percent
def utilization(weights, ids, pad_id, seconds, peak):
    real = (ids != pad_id).sum(dim=1)  # (N,)
    tokens = len(ids) * real.max().item()
    operations = 3 * 2 * weights * tokens  # forward, and twice as much backward
    return 100 * operations / seconds / peak

