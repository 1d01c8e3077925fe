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


# %% right: tenth_own_count_in_lists
def utilization(weights, ids, pad_id, seconds, peak):
    real = sum(1 for row in ids.tolist() for token in row if token != pad_id)
    forward = 2 * weights * real
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)

# %% right: tenth_own_less_padding
def utilization(weights, ids, pad_id, seconds, peak):
    padding = int(torch.count_nonzero(ids == pad_id))
    per_second = 6 * weights * (ids.numel() - padding) / seconds
    return per_second / peak


# %% right: eleventh_own_forward_and_backward
def utilization(weights, ids, pad_id, seconds, peak):
    padding = (ids == pad_id).sum().item()
    tokens = ids.numel() - padding
    forward = 2 * weights * tokens
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)

# %% right: eleventh_own_list_comprehension
def utilization(weights, ids, pad_id, seconds, peak):
    real = [token for row in ids.tolist() for token in row if token != pad_id]
    did = 6 * weights * len(real) / seconds
    return did / peak


# %% right: twelfth_own_python_loop
def utilization(weights, ids, pad_id, seconds, peak):
    real = 0
    for sentence in ids.tolist():
        real += len(sentence) - sentence.count(pad_id)
    forward = 2 * weights * real
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)

# %% right: twelfth_own_boolean_index
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids[ids != pad_id].numel()
    could = peak * seconds
    return 6 * weights * tokens / could
