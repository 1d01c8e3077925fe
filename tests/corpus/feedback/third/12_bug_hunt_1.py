# %% wrong: only_padding_fixed | TRUE CAUSE: Only the padding is fixed; the operations of the backward pass are still missing (2 instead of 6 for each weight).
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()  # to compute padding is no achievement
    operations = 2 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak


# %% wrong: only_six_fixed | TRUE CAUSE: Only the factor 6 is fixed; padding is still counted among the tokens.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = ids.numel()  # to compute padding is no achievement
    operations = 6 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak


# %% wrong: counts_the_padding | TRUE CAUSE: Counts the padding (ids == pad_id) instead of the real tokens; the factor is right.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids == pad_id).sum().item()  # to compute padding is no achievement
    operations = 6 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak


# %% wrong: backward_only | TRUE CAUSE: Replaces 2 by 4 (the backward pass alone) instead of adding it to the forward pass.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()  # to compute padding is no achievement
    operations = 4 * weights * tokens  # for each weight 2 forward, 4 backward
    return operations / seconds / peak


# %% wrong: padding_is_zero | TRUE CAUSE: Counts what is not 0 instead of what is not pad_id: wrong for any other padding id.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = torch.count_nonzero(ids).item()
    operations = (2 + 4) * weights * tokens
    return operations / (seconds * peak)


# %% wrong: repaired_what_was_right | TRUE CAUSE: Both bugs are fixed, but the last line, which was right, was changed to operations / (seconds / peak).
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached."""
    real = (ids != pad_id).sum().item()
    operations = 6 * weights * real
    return operations / (seconds / peak)
