# %% wrong: factor_scales_rise_only | TRUE CAUSE: factor multiplies only the rise inside the min, not the whole rate, so after the warm-up the factor has no effect (and the peak moves)
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = factor * step * warmup**-1.5
    fall = step**-0.5
    rate = d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: power_over_the_product | TRUE CAUSE: the exponent -1.5 is applied to the product step * warmup instead of to warmup alone, so the rise is a steep fall from step 1 on and the rate never rises
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = (step * warmup) ** -1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: own_fall_from_end_of_warmup | TRUE CAUSE: after the warm-up the fall counts its steps from the end of the warm-up, scaled from the peak, (step - warmup + 1) ** -0.5, instead of from the first step, so the rate falls far too fast
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(1, step)
    peak = factor / math.sqrt(d_model * warmup)
    if step <= warmup:
        return peak * step / warmup
    return peak / math.sqrt(step - warmup + 1)

# %% wrong: own_every_step_plus_one | TRUE CAUSE: step + 1 is used for every step, not only for step 0, so the whole schedule is shifted by one step: step 1 gets the rate of step 2, and the peak comes at warmup - 1
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    n = step + 1
    scale = factor / d_model**0.5
    return scale * min(1 / n**0.5, n / warmup**1.5)
