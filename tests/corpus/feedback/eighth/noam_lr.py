# %% wrong: larger_of_the_two | TRUE CAUSE: the larger of rise and fall is taken instead of the smaller, so the rate falls first and then grows without end
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * max(rise, fall)
    return rate


# %% wrong: rise_to_one | TRUE CAUSE: the rise is step / warmup, up to 1 instead of warmup ** -0.5, so the rate is much too high during the warm-up and drops suddenly after it
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    if step < warmup:
        shape = step / warmup
    else:
        shape = step ** -0.5
    return factor * d_model ** -0.5 * shape


# %% wrong: factor_forgotten | TRUE CAUSE: factor is not used: the rate is right only where factor is 1
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup ** (-1.5)
    fall = 1 / math.sqrt(step)
    rate = min(rise, fall) / math.sqrt(d_model)
    return rate
