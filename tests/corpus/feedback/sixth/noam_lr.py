# %% wrong: the_larger_of_the_two | TRUE CAUSE: max instead of min: the rate starts huge, falls during the warm-up and rises after it
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * max(rise, fall)
    return rate

# %% wrong: power_around_the_product | TRUE CAUSE: (step * warmup) ** -1.5: the power is taken of the product, so the 'rise' falls with the step
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = (step * warmup) ** -1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: width_in_one_branch_step_zero | TRUE CAUSE: two mistakes: d_model ** -0.5 scales only the fall, not the warm-up; and the line that takes step 0 as step 1 was dropped, so the rate of step 0 is 0
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step: a linear rise, then a slow fall (Eq. 3)."""
    if step < warmup:
        rate = step * warmup**-1.5
    else:
        rate = d_model**-0.5 * step**-0.5
    return factor * rate

