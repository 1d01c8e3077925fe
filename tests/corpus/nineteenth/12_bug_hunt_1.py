# %% wrong: padding-counted | Only the factor is mended: the tokens are still N times T, padding included, where only real tokens, those that are not pad_id, count.
def utilization(weights, ids, pad_id, seconds, peak):
    batch, length = ids.shape
    flops_per_token = 6 * weights
    flops_per_iter = flops_per_token * batch * length
    flops_achieved = flops_per_iter * (1.0 / seconds)
    return flops_achieved / peak

# %% wrong: backward-as-cheap-as-forward | Reckons 2 operations forward and 2 backward, 4 in all; backward is twice as much as forward (a gradient for the input and one for the weight), so there are 6 for each weight and token.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = (ids != pad_id).sum().item()
    forward = 2 * weights * tokens
    backward = 2 * weights * tokens
    return (forward + backward) / seconds / peak

# %% wrong: padding-is-zero | Counts the ids that are not 0, as if padding were always 0; pad_id says which token it is, and 0 may be a real one.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = torch.count_nonzero(ids).item()
    operations = 6 * weights * tokens
    return operations / (seconds * peak)

# %% wrong: three-and-percent | Two mistakes. Only 3 operations are counted for each weight and token, one product forward and two backward, but each of them is 2 operations, a multiplication and an addition; and the result is a percentage, where the share (a number from 0 to 1) is asked for.
def utilization(weights, ids, pad_id, seconds, peak):
    tokens = ids.ne(pad_id).sum().item()
    operations = 3 * weights * tokens
    return 100 * operations / seconds / peak

# %% right: three-products
def utilization(weights, ids, pad_id, seconds, peak):
    real = ids.numel() - (ids == pad_id).sum().item()
    one_product = 2 * weights * real  # a multiplication and an addition
    forward, for_input, for_weight = one_product, one_product, one_product
    return (forward + for_input + for_weight) / (seconds * peak)
