# %% wrong: forward_only | TRUE CAUSE: only the count of real tokens is mended; the factor stays 2, the operations forward, without the 4 of the backward pass
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 2 * weights * tokens
    return operations / seconds / peak

# %% wrong: factor_three | TRUE CAUSE: the factor is changed to 3 (one forward, two backward), forgetting that each weight is a multiplication and an addition, so the share is half of what it should be
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = ids.ne(pad_id).sum().item()
    operations = 3 * weights * tokens
    return operations / seconds / peak

# %% wrong: own_count_nonzero | TRUE CAUSE: torch.count_nonzero counts ids other than 0 and ignores pad_id, so padding is counted when pad_id is not 0 and a token with id 0 is left out
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = torch.count_nonzero(ids).item()
    forward = 2 * weights * tokens
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)

# %% wrong: own_first_padding_argmax | TRUE CAUSE: the length of a row is the argmax of ids == pad_id, the place of its first padding, which is 0 for a row without any padding, so full rows are not counted
def utilization(weights, ids, pad_id, seconds, peak):
    lengths = (ids == pad_id).int().argmax(dim=1)
    tokens = int(lengths.sum())
    per_second = 6 * weights * tokens / seconds
    return per_second / peak
