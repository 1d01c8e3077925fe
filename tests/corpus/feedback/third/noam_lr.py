# %% wrong: warmup_exponent | TRUE CAUSE: the rise uses warmup ** -0.5 instead of warmup ** -1.5, so rise and fall do not meet at the end of the warm-up
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-0.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate


# %% wrong: larger_of_the_two | TRUE CAUSE: takes the larger of rise and fall instead of the smaller
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * max(rise, fall)
    return rate


# %% wrong: factor_forgotten | TRUE CAUSE: the rate is not multiplied by factor
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup ** (-1.5)
    fall = step ** (-0.5)
    rate = d_model ** (-0.5) * min(rise, fall)
    return rate


# %% wrong: width_multiplies | TRUE CAUSE: multiplies by the square root of d_model instead of dividing, so a wider model gets a higher rate
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step / warmup**1.5
    fall = 1 / math.sqrt(step)
    rate = factor * math.sqrt(d_model) * min(rise, fall)
    return rate


# %% wrong: rise_to_one | TRUE CAUSE: a linear warm-up as in other libraries: the rise is step / warmup, up to 1, so the curve jumps at the end of the warm-up to the much lower step ** -0.5
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    if step < warmup:
        scale = step / warmup
    else:
        scale = step**-0.5
    return factor * d_model**-0.5 * scale


# %% wrong: step_zero_and_factor | TRUE CAUSE: two mistakes: the line that takes step 0 as step 1 is gone, so step 0 divides by zero, and factor scales only the rise
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step (Eq. 3)."""
    rise = factor * step * warmup**-1.5
    fall = step**-0.5
    return d_model**-0.5 * min(rise, fall)


# %% wrong: rate_is_a_tensor | TRUE CAUSE: the rate is computed with torch and returned as a tensor instead of a plain float
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = torch.tensor(float(max(step, 1)))
    rise = step * warmup**-1.5
    fall = step.rsqrt()
    return factor * d_model**-0.5 * torch.minimum(rise, fall)
