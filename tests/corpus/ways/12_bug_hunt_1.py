# %% right: forward_and_backward
def utilization(weights, ids, pad_id, seconds, peak):
    padding = int((ids == pad_id).sum())
    tokens = ids.numel() - padding
    forward = 2 * weights * tokens
    return (forward + 2 * forward) / (seconds * peak)

# %% right: torch_way
def utilization(weights, ids, pad_id, seconds, peak):
    """The share of a device's peak that a step of training reached.

    weights is how many weights each token passes, ids (N, T) the step's batch, seconds how long
    it took, and peak how many operations the device can do in a second.
    """
    tokens = int(torch.count_nonzero(ids.ne(pad_id)))
    operations = (2 + 4) * weights * tokens  # forward, backward
    return operations / seconds / peak


# %% right: own_mask_mean
def utilization(weights, ids, pad_id, seconds, peak):
    """Reached operations a second, as a share of what is possible."""
    padding = int(ids.eq(pad_id).sum())
    real = ids.numel() - padding
    forward = 2 * weights * real
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)

# %% right: own_python_count
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = sum(1 for row in ids.tolist() for token in row if token != pad_id)
    flops_per_token = 6 * weights
    reached = flops_per_token * tokens / seconds
    return reached / peak
