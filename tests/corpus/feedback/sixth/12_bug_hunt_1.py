# %% wrong: counts_the_padding | TRUE CAUSE: the comparison is the wrong way round: the padding is counted instead of the real tokens (the 6 is right)
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids == pad_id).sum().item()
    operations = 6 * weights * tokens
    return operations / seconds / peak


# %% wrong: three_instead_of_six | TRUE CAUSE: forward once and backward twice are counted as 3 operations, but each of them is a multiplication and an addition: 6 (real tokens are right)
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 3 * weights * tokens  # once forward, twice backward
    return operations / seconds / peak


# %% wrong: padding_is_always_zero | TRUE CAUSE: real tokens are counted with count_nonzero, which takes padding to be 0 whatever pad_id is (the 6 is right)
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids.count_nonzero().item()
    forward = 2 * weights * tokens
    backward = 2 * forward
    return (forward + backward) / seconds / peak
