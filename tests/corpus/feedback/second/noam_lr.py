# %% wrong: max_for_min | TRUE CAUSE: The larger of the two is taken instead of the smaller.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup ** -1.5
    fall = step ** -0.5
    rate = factor * d_model ** -0.5 * max(rise, fall)
    return rate

# %% wrong: rise_exponent_half | TRUE CAUSE: The rise uses warmup to the power -0.5 instead of -1.5, so it is steeper by the factor warmup.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step / math.sqrt(warmup)
    fall = 1 / math.sqrt(step)
    rate = factor / math.sqrt(d_model) * min(fall, rise)
    return rate

# %% wrong: factor_only_in_rise | TRUE CAUSE: factor scales only the warm-up; after it, the falling branch ignores factor.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    peak = (d_model * warmup) ** -0.5
    if step <= warmup:
        return float(factor * peak * step / warmup)
    return float(peak * math.sqrt(warmup / step))

# %% wrong: step_zero_crashes | TRUE CAUSE: Step 0 is not taken as step 1: 0 to the power -0.5 is a ZeroDivisionError.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Eq. 3 in one line."""
    return factor * (d_model ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5)))
