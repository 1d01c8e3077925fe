# %% wrong: factor_only_on_rise | TRUE CAUSE: factor multiplies only the rising branch inside min, so after the warm-up the rate is not scaled by it and the peak moves to another step.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = factor * step * warmup ** -1.5
    fall = step ** -0.5
    rate = d_model ** -0.5 * min(rise, fall)
    return rate

# %% wrong: warmup_power_minus_half | TRUE CAUSE: The rise uses warmup ** -0.5 instead of warmup ** -1.5, so rise and fall meet long before the end of the warm-up and the first rates are far too high.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup ** -0.5
    fall = step ** -0.5
    rate = factor * d_model ** -0.5 * min(rise, fall)
    return rate

# %% wrong: own_every_step_plus_one | TRUE CAUSE: The rule that step 0 counts as step 1 is read as "add 1 to every step", so each rate is that of the step after it.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    t = step + 1  # PyTorch starts at 0, the paper at 1
    scale = factor / math.sqrt(d_model)
    if t <= warmup:
        return scale * t / warmup**1.5
    return scale / math.sqrt(t)

# %% wrong: own_falls_like_one_over_step | TRUE CAUSE: After the warm-up the peak is multiplied by warmup / step instead of its square root, so the rate falls as 1/step and is 4 instead of 2 times lower at four times the warm-up.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = step or 1
    peak = factor * (d_model * warmup) ** -0.5
    progress = step / warmup
    return float(peak * (progress if progress < 1 else 1 / progress))
