# %% wrong: padding_is_always_zero | TRUE CAUSE: the factor 6 is right, but padding is compared with 0 instead of pad_id
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != 0).sum().item()
    operations = 6 * weights * tokens
    return operations / seconds / peak


# %% wrong: three_operations | TRUE CAUSE: counts one operation for each weight and pass (3), not a multiplication and an addition for each (6)
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 3 * weights * tokens  # once forward, twice backward
    return operations / seconds / peak


# %% wrong: backward_alone_with_padding | TRUE CAUSE: two mistakes: counts the backward pass alone (4) instead of both passes (6), and padding still counts as tokens
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached."""
    rows, length = ids.shape
    tokens = rows * length
    forward = 2 * weights * tokens
    operations = 2 * forward  # backward is twice as much
    return operations / (seconds * peak)
