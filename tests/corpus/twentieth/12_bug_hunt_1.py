# %% wrong: forward-only | Leaves padding out now but still counts 2 operations for each weight and token, which is the forward pass alone; a step of training needs 6, since backward is twice as much.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = (ids != pad_id).sum().item()
    operations = 2 * weights * tokens
    return operations / seconds / peak

# %% wrong: palm-all-positions | Counts 6 operations but takes every position of the batch for a token: padding doesn't count, since nobody needs what is computed for it, so the share comes out too high.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens_per_second = ids.numel() / seconds
    flops_per_token = 6 * weights
    peak_tokens_per_second = peak / flops_per_token
    return tokens_per_second / peak_tokens_per_second

# %% wrong: backward-as-much-as-forward | Takes backward for as much work as forward and counts 4 operations: backward is twice forward, once for the gradient of the input and once for that of the weight, so a step needs 6.
def utilization(weights, ids, pad_id, seconds, peak):
    real = torch.count_nonzero(ids - pad_id).item()
    forward = 2 * weights * real
    backward = forward
    return (forward + backward) / (seconds * peak)

# %% wrong: nanogpt-one-sentence | Counts the tokens of one sentence, the mean over the batch, and forgets to multiply by the sentences of the batch, as nanoGPT does with fwdbwd_per_iter: the share is N times too low.
def utilization(weights, ids, pad_id, seconds, peak):
    T = ids.ne(pad_id).sum(dim=1).double().mean().item()
    flops_per_token = 6 * weights
    flops_per_fwdbwd = flops_per_token * T
    flops_achieved = flops_per_fwdbwd * (1.0 / seconds)
    mfu = flops_achieved / peak
    return mfu

# %% wrong: percent-of-larger-ids | Two mistakes. Returns percent, 100 times the share that the docstring asks for; and takes only ids larger than pad_id for real tokens, although ids have no order and pad_id need not be the smallest.
def utilization(weights, ids, pad_id, seconds, peak):
    lengths = [sum(token > pad_id for token in row) for row in ids.tolist()]
    done = 6 * weights * sum(lengths)
    possible = peak * seconds
    return 100 * done / possible

# %% right: tokens-per-second
def utilization(weights, ids, pad_id, seconds, peak):
    observed = sum(token != pad_id for row in ids.tolist() for token in row) / seconds
    forward, backward = 2 * weights, 4 * weights
    possible = peak / (forward + backward)
    return observed / possible
