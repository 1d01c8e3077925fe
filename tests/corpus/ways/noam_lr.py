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
