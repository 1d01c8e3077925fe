# %% wrong: rise_up_to_one | TRUE CAUSE: the rise is written as the share of the warm-up that is done, step / warmup, so it ends at 1 instead of warmup ** -0.5, and the rate drops at once after the warm-up
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)
    if step <= warmup:
        shape = step / warmup
    else:
        shape = step**-0.5
    return factor * d_model**-0.5 * shape


# %% wrong: fall_counted_from_the_end_of_the_warmup | TRUE CAUSE: the fall counts its steps from the end of the warm-up instead of from step 1, so after the warm-up the rate stays too high and the peak is later and wrong
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = max(step - warmup, 1) ** -0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate


# %% wrong: width_scales_the_fall_only | TRUE CAUSE: d_model ** -0.5 is multiplied into the fall inside the min, so the rise does not depend on the width and the two meet at the wrong step
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * min(d_model**-0.5 * fall, rise)
    return rate


# %% wrong: every_step_plus_one | TRUE CAUSE: step + 1 replaces max(step, 1), so not only step 0 but every step is taken as the one after it
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = step + 1  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate
