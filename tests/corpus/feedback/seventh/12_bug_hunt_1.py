# %% wrong: backward_counted_once | TRUE CAUSE: 4 operations for each weight and token, backward taken for as much work as forward; it is twice as much, so 2 + 4 = 6 (the tokens are repaired)
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 4 * weights * tokens
    return operations / seconds / peak


# %% wrong: padding_is_always_0 | TRUE CAUSE: real tokens are counted as those that are not 0, whatever pad_id is
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached."""
    real = torch.count_nonzero(ids).item()
    forward = 2 * weights * real
    backward = 2 * forward
    return (forward + backward) / seconds / peak


# %% wrong: return_changed_padding_counted | TRUE CAUSE: two mistakes: padding is still counted as tokens, and the last line, which was right, was changed so that the operations are multiplied by the peak
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = ids.numel()
    operations = 6 * weights * tokens
    return operations / (seconds / peak)
