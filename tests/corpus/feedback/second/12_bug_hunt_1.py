# %% wrong: two_operations_left | TRUE CAUSE: Mended halfway: padding is no longer counted, but there are still 2 operations for each weight instead of 6.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()  # to compute padding is no achievement
    operations = 2 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak

# %% wrong: ids_above_pad | TRUE CAUSE: 6 operations are right now, but real tokens are those whose id is greater than pad_id, which is wrong unless padding is the smallest id.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = int((ids > pad_id).sum())  # to compute padding is no achievement
    operations = 6 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak

# %% wrong: peak_multiplied | TRUE CAUSE: Both bugs are mended, but the last line, which was right, was changed: the operations are divided by seconds / peak, so they are multiplied by peak.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached."""
    tokens = torch.count_nonzero(ids.ne(pad_id)).item()
    operations = (2 + 4) * weights * tokens
    return operations / (seconds / peak)
