# %% wrong: width_scales_only_the_rise | TRUE CAUSE: d_model ** -0.5 multiplies only the rise inside the min instead of the whole min, so the fall is not lowered by the width, and the peak is too high and too late.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * min(d_model**-0.5 * rise, fall)
    return rate

# %% wrong: every_step_plus_one | TRUE CAUSE: The line max(step, 1) is replaced by step + 1, so not only step 0 but every step is moved on by one: the rate of step s is that of s + 1.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = step + 1  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: own_factor_lost_in_fall | TRUE CAUSE: In the design with two branches, factor is applied only in the branch of the warm-up; after it the returned rate lacks factor, so it is wrong (and jumps) for every factor other than 1.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    peak = 1 / math.sqrt(d_model * warmup)
    if step < warmup:
        return factor * peak * step / warmup
    return peak * math.sqrt(warmup / step)

# %% wrong: own_ratio_without_power | TRUE CAUSE: After 1/sqrt(step) is taken out of the min, the rise needs (step / warmup) ** 1.5, but the code uses (step / warmup), so during the warm-up the rate grows like the square root of step, not linearly, and is too high.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    s = step or 1
    return factor / math.sqrt(d_model * s) * min(1.0, s / warmup)
