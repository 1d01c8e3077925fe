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


# %% right: tenth_own_peak_times_progress
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step < 1:
        step = 1
    peak = factor / math.sqrt(d_model * warmup)
    progress = step / warmup
    if progress < 1:
        return peak * progress
    return peak / math.sqrt(progress)

# %% right: tenth_own_one_line
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    s = float(step) if step > 0 else 1.0
    return float(factor * pow(d_model, -0.5) * sorted([pow(s, -0.5), s * pow(warmup, -1.5)])[0])


# %% right: eleventh_own_two_branches_from_peak
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step < 1:
        step = 1
    peak = factor / math.sqrt(d_model * warmup)
    if step <= warmup:
        return peak * (step / warmup)
    return peak * math.sqrt(warmup / step)

# %% right: eleventh_own_one_line_ratio
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    s = float(step or 1)
    return factor * (d_model * s) ** -0.5 * min(1.0, (s / warmup) ** 1.5)


# %% right: twelfth_own_peak_and_cases
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step == 0:
        step = 1
    peak = factor / math.sqrt(d_model * warmup)
    if step < warmup:
        return float(peak * step / warmup)
    return float(peak * math.sqrt(warmup / step))

# %% right: twelfth_own_dense
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    n = float(step or 1)
    return factor * min(1 / math.sqrt(n), n / (warmup * math.sqrt(warmup))) / math.sqrt(d_model)
