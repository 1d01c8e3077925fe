# %% wrong: the_larger | TRUE CAUSE: takes the larger of rise and fall and not the smaller
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * max(rise, fall)
    return rate

# %% wrong: factor_forgotten | TRUE CAUSE: factor is not used
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: root_of_the_width | TRUE CAUSE: multiplies by the root of d_model and does not divide by it (the minus in the exponent is missing)
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**0.5 * min(rise, fall)
    return rate

# %% wrong: rise_over_warmup | TRUE CAUSE: the rise is step / warmup, from 0 to 1, which does not meet the fall at the end of the warm-up
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step / warmup
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: width_on_one_side | TRUE CAUSE: the width scales the fall only, so rise and fall meet somewhere else
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    return factor * min(d_model**-0.5 * step**-0.5, step * warmup**-1.5)

# %% wrong: tensor_returned | TRUE CAUSE: the result is a tensor and not a plain float
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = torch.tensor(float(max(step, 1)))
    rise = step * warmup**-1.5
    fall = step.rsqrt()
    return factor * d_model**-0.5 * torch.minimum(rise, fall)

# %% wrong: every_step_one_later | TRUE CAUSE: two mistakes: 1 is added to every step (and not only 0 taken as 1), and the exponent of the warm-up is -0.5
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = step + 1
    return factor * d_model**-0.5 * min(step**-0.5, step * warmup**-0.5)
