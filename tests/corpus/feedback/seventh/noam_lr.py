# %% wrong: factor_under_the_root | TRUE CAUSE: factor is multiplied with d_model inside the parentheses, so the power -0.5 applies to it too and a factor of 0.5 makes the rate larger instead of half as large
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = (factor * d_model) ** -0.5 * min(rise, fall)
    return rate

# %% wrong: fall_counts_from_end_of_warmup | TRUE CAUSE: after the warm-up the fall counts its steps from the end of the warm-up (step - warmup) instead of from the start, so the rate jumps up and does not join the rise
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    if step <= warmup:
        scale = step * warmup**-1.5
    else:
        scale = (step - warmup) ** -0.5
    return factor * d_model**-0.5 * scale

# %% wrong: tensor_without_factor | TRUE CAUSE: two mistakes: factor is never used, and the result is a tensor (from torch.minimum) instead of a plain float
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = torch.tensor(step * warmup ** (-1.5))
    fall = torch.tensor(step ** (-0.5))
    rate = torch.minimum(rise, fall) / math.sqrt(d_model)
    return rate
