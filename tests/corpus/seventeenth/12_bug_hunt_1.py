# %% wrong: forward-only | Mends the tokens only. 2 operations for each weight and token are those of the forward pass; backward needs twice as many again, so a step needs 6.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = (ids != pad_id).sum().item()
    operations = 2 * weights * tokens
    return operations / seconds / peak

# %% wrong: padding-counted | Mends the factor only. ids.numel() counts the padding, too, while only real tokens are to be counted.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids.numel()
    operations = 6 * weights * tokens
    return operations / seconds / peak

# %% wrong: inverted-count | Counts the ids that equal pad_id, the padding itself, instead of all the others.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = int(torch.eq(ids, pad_id).sum())
    operations = 6 * weights * tokens
    return operations / (seconds * peak)

# %% wrong: one-operation-for-each-weight | Counts forward and backward as 1 + 2 passes, but one operation for each weight in a pass: a weight is multiplied and added, 2 operations, so it has to be 6 and not 3.
def utilization(weights, ids, pad_id, seconds, peak):
    passes = {"forward": 1, "gradient of the input": 1, "gradient of the weight": 1}
    tokens = (ids != pad_id).sum().item()
    return sum(passes.values()) * weights * tokens / seconds / peak

# %% wrong: hardware-flops | Counts 8 operations for each weight and token, with a second forward pass as in activation checkpointing (hardware FLOPs). A step of training needs 6: 2 forward and 4 backward.
def utilization(weights, ids, pad_id, seconds, peak):
    forward_factor, backward_factor, recompute_factor = 2, 4, 2
    num_tokens = ids.ne(pad_id).sum().item()
    model_flops = (forward_factor + backward_factor + recompute_factor) * weights * num_tokens
    return model_flops / seconds / peak

# %% wrong: two-different-tokens-in-percent | Two mistakes. Counts how many different tokens occur instead of how many real ones the batch holds; and returns percent, a hundred times the share.
def utilization(weights, ids, pad_id, seconds, peak):
    kinds = set(ids.flatten().tolist()) - {pad_id}
    operations = 6 * weights * len(kinds)
    return 100 * operations / seconds / peak

# %% right: padding-taken-away
def utilization(weights, ids, pad_id, seconds, peak):
    padding = (ids == pad_id).sum().item()
    forward = 2 * weights * (ids.numel() - padding)
    backward = 2 * forward
    return (forward + backward) / (seconds * peak)

# %% right: nanogpt-way
def utilization(weights, ids, pad_id, seconds, peak):
    flops_per_token = 6 * weights
    flops_per_iter = flops_per_token * int(ids[ids != pad_id].numel())
    flops_achieved = flops_per_iter * (1.0 / seconds)
    mfu = flops_achieved / peak
    return mfu
