# %% wrong: factor_only_on_the_rise | TRUE CAUSE: multiplies factor into the rise alone, inside the min, where it has to scale the whole rate, so with a factor other than 1 the fall is not scaled and the peak moves to another step
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = factor * step * warmup**-1.5
    fall = step**-0.5
    rate = d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: every_step_counted_one_further | TRUE CAUSE: takes the sentence on step 0 to mean that all steps are counted from 0, and adds 1 to every step in place of lifting only step 0 to 1, so each step gets the rate of the next one
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = step + 1  # schedulers count from 0, the paper from 1
    rise = step * warmup ** (-1.5)
    fall = step ** (-0.5)
    rate = factor * d_model ** (-0.5) * min(rise, fall)
    return rate

# %% wrong: own_fall_counted_from_the_end_of_warmup | TRUE CAUSE: the fall is computed from the number of steps since the end of the warm-up, step - warmup, and not from step itself, so the rate jumps up after the warm-up and is too high from there on
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    scale = factor / math.sqrt(d_model)
    if step < 1:
        step = 1
    if step <= warmup:
        return scale * step / (warmup * math.sqrt(warmup))
    since = step - warmup
    return scale / math.sqrt(since)

# %% wrong: own_peak_does_not_depend_on_warmup | TRUE CAUSE: writes both arms relative to the warm-up (step / warmup and sqrt(warmup / step)) and forgets the common factor warmup ** -0.5, so the shape is right but every rate is sqrt(warmup) times too large
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    progress = max(1, step) / warmup
    shape = min(progress, 1 / math.sqrt(progress))
    return factor * shape / math.sqrt(d_model)
