# %% right: two_cases
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = step or 1
    if step < warmup:
        rate = step / (warmup * math.sqrt(warmup))
    else:
        rate = 1 / math.sqrt(step)
    return float(factor * rate / math.sqrt(d_model))

# %% right: powers
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    """Return the learning rate of a step, a float: a linear rise, then a slow fall (Eq. 3)."""
    step = float(max(1, step))
    both = math.pow(step, -0.5), step * math.pow(warmup, -1.5)
    return factor * min(both) * math.pow(d_model, -0.5)


# %% right: own_two_branches
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step < 1:
        step = 1
    width = 1 / math.sqrt(d_model)
    if step < warmup:
        return float(factor * width * step / (warmup * math.sqrt(warmup)))
    return float(factor * width / math.sqrt(step))

# %% right: own_relative_to_the_peak
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    peak = factor * (d_model * warmup) ** -0.5
    done = max(step, 1) / warmup
    return peak * min(done, done**-0.5)
