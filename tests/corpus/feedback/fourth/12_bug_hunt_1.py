# %% wrong: only_the_factor | TRUE CAUSE: only the factor is repaired; padding still counts as tokens
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = ids.numel()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: only_the_tokens | TRUE CAUSE: only the tokens are repaired; the backward pass, twice the forward one, is still not counted
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 2 * weights * tokens
    return operations / seconds / peak

# %% wrong: backward_alone | TRUE CAUSE: real tokens are counted, but 4 operations a weight and token: the backward pass only, without the forward one
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 4 * weights * tokens
    return operations / seconds / peak

# %% wrong: counts_padding | TRUE CAUSE: counts the padding in place of the real tokens (== for !=); the factor is right
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = int((ids == pad_id).sum())
    forward = 2 * weights * tokens
    backward = 2 * forward
    return (forward + backward) / seconds / peak

# %% wrong: padding_is_zero_and_factor_three | TRUE CAUSE: two mistakes: takes padding to be token 0 whatever pad_id is, and counts 3 operations, as if a multiplication and an addition were one
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = torch.count_nonzero(ids).item()
    operations = 3 * weights * tokens
    return operations / (seconds * peak)
