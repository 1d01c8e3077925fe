# %% wrong: still_two_operations | TRUE CAUSE: only the padding bug is mended; operations still counts the 2 of the forward pass and leaves out the 4 of the backward pass
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = (ids != pad_id).sum().item()
    operations = 2 * weights * tokens
    return operations / seconds / peak

# %% wrong: pad_taken_for_zero | TRUE CAUSE: real tokens are counted with count_nonzero, as if padding were always id 0; pad_id is ignored, so with another pad_id the count is wrong
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = ids.count_nonzero().item()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: own_backward_counted_once | TRUE CAUSE: counts the backward pass as much as the forward pass (2 + 2 = 4 operations a weight and token) instead of twice as much (6)
def utilization(weights, ids, pad_id, seconds, peak):
    real = sum(1 for row in ids.tolist() for token in row if token != pad_id)
    forward = 2 * weights * real
    backward = forward
    did = (forward + backward) / seconds
    return did / peak

# %% wrong: own_tokens_per_sentence | TRUE CAUSE: takes the mean number of real tokens in a sentence for the tokens of the batch (sum(dim=1) and then mean), so the share is too small by the number of sentences
def utilization(weights, ids, pad_id, seconds, peak):
    lengths = ids.ne(pad_id).sum(dim=1)
    tokens = lengths.float().mean().item()
    per_second = 6 * weights * tokens / seconds
    return per_second / peak
