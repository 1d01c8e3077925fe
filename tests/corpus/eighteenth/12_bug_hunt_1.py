# %% wrong: only-backward | Padding is left out, but the operations per weight and token are taken as 4: that is the backward pass alone (twice the 2 of the forward pass); a step of training needs both, 2 + 4 = 6.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = torch.ne(ids, pad_id).sum().item()
    forward = 2
    backward = 2 * forward
    operations = backward * weights * tokens
    return operations / (seconds * peak)

# %% wrong: pad-is-zero | The factor 6 is right, but the real tokens are counted as the ids that are not 0, whatever pad_id is: with another pad_id the padding is counted and the token 0 is not.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids.count_nonzero().item()
    achieved = 6 * weights * tokens / seconds
    return achieved / peak

# %% wrong: one-sequence | Written as in nanoGPT, with the operations of one sequence; the number of sequences in the batch is never multiplied in, so only the real tokens of an average row are counted instead of those of the whole batch.
def utilization(weights, ids, pad_id, seconds, peak):
    flops_per_token = 6 * weights
    tokens_per_row = (ids != pad_id).sum(dim=1).float().mean().item()
    flops_per_fwdbwd = flops_per_token * tokens_per_row
    flops_achieved = flops_per_fwdbwd * (1.0 / seconds)
    mfu = flops_achieved / peak
    return mfu

# %% wrong: all-positions | Only the factor is mended (6 operations per weight and token). The tokens are still all entries of ids, N * T, padding included, where only real tokens count.
def utilization(weights, ids, pad_id, seconds, peak):
    batch, length = ids.shape
    forward = 2 * weights * batch * length
    return (forward + 2 * forward) / seconds / peak

# %% right: three-passes
def utilization(weights, ids, pad_id, seconds, peak):
    real = sum(token != pad_id for row in ids.tolist() for token in row)
    forward = 2 * weights * real
    weight_gradient = input_gradient = forward
    return (forward + weight_gradient + input_gradient) / (seconds * peak)
