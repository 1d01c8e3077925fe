# %% wrong: maximum | TRUE CAUSE: the larger of the two is taken instead of the smaller
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * max(rise, fall)
    return rate

# %% wrong: precedence | TRUE CAUSE: d_model**-1/2 is (1/d_model)/2 by Python's order of operators, not the power -1/2
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step / (warmup * math.sqrt(warmup))
    fall = 1 / math.sqrt(step)
    rate = factor * d_model**-1/2 * min(rise, fall)
    return rate

# %% wrong: no_factor | TRUE CAUSE: the argument factor is ignored
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: a_tensor | TRUE CAUSE: the rate is computed with torch and comes back as a tensor, not as a plain float
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = torch.tensor(float(max(step, 1)))
    rise = step * warmup**-1.5
    fall = torch.rsqrt(step)
    rate = factor * d_model**-0.5 * torch.minimum(rise, fall)
    return rate

# %% wrong: plus_one | TRUE CAUSE: 1 is added to every step instead of only taking step 0 as step 1, so all rates belong to the step after
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = step + 1  # the scheduler counts from 0
    arg1 = 1 / math.sqrt(step)
    arg2 = step / math.pow(warmup, 1.5)
    return factor / math.sqrt(d_model) * min(arg1, arg2)

# %% wrong: paper_warmup | TRUE CAUSE: the paper's 4000 is hard-coded and the argument warmup is ignored
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * 4000 ** (-3 / 2)
    fall = pow(step, -0.5)
    rate = factor * pow(d_model, -0.5) * min(rise, fall)
    return rate

# %% wrong: caret | TRUE CAUSE: ^ is used for a power, which in Python is the bitwise exclusive or, so it raises a TypeError
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup^-1.5
    fall = step^-0.5
    rate = factor * d_model^-0.5 * min(rise, fall)
    return rate

# %% wrong: two_branches | TRUE CAUSE: two mistakes: factor is applied in the warm-up only and not to the fall; and the width's exponent has lost its minus, so wider models get higher rates
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(1, step)
    width = math.sqrt(d_model)
    if step < warmup:
        return factor * width * step * warmup**-1.5
    return width * step**-0.5
