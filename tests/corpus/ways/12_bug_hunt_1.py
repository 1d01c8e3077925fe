# %% right: own_python_count
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = sum(1 for row in ids.tolist() for token in row if token != pad_id)
    flops_per_token = 6 * weights
    reached = flops_per_token * tokens / seconds
    return reached / peak
# %% right: own_mask_mean
def utilization(weights, ids, pad_id, seconds, peak):
    padding = int(ids.eq(pad_id).sum())
    real = ids.numel() - padding
    forward = 2 * weights * real
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)
