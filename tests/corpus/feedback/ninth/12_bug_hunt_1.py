# %% wrong: padding_still_counted | TRUE CAUSE: The factor is mended to 6, but ids.numel() is left, so padding counts as if it were real tokens.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = ids.numel()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: only_backward | TRUE CAUSE: Real tokens are counted, but the factor 2 is replaced by 4, the backward pass alone, instead of by 6 for forward and backward together.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 4 * weights * tokens
    return operations / seconds / peak

# %% wrong: own_nonzero_tokens | TRUE CAUSE: Real tokens are counted as those that are not 0, whatever pad_id is, so with another pad_id padding counts and token 0 does not.
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached."""
    forward, backward = 2, 4
    real_tokens = int(torch.count_nonzero(ids))
    flops = (forward + backward) * weights * real_tokens
    return flops / (seconds * peak)

# %% wrong: own_longest_row_for_all | TRUE CAUSE: The number of tokens is the length of the longest sentence times the number of sentences instead of the sum of all lengths, so the padding of the shorter sentences still counts.
def utilization(weights, ids, pad_id, seconds, peak):
    lengths = [sum(token != pad_id for token in row) for row in ids.tolist()]
    tokens = len(lengths) * max(lengths)
    per_second = 6 * weights * tokens / seconds
    return per_second / peak

