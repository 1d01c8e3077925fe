# %% wrong: ramp-to-one | written in two pieces that do not meet: the rise is step / warmup, up to 1, instead of step * warmup^-1.5, so the rate is far too high in the warm-up and drops at its end.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    if step < warmup:
        scale = step / warmup
    else:
        scale = 1 / math.sqrt(step)
    return factor * scale / math.sqrt(d_model)

# %% wrong: counts-one-on | 1 is added to every step ("schedulers count from 0"), not only to step 0: step 1 gets the rate of step 2, and so on.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    current = step + 1
    arg1 = current**-0.5
    arg2 = current * warmup**-1.5
    return factor * d_model**-0.5 * min(arg1, arg2)

# %% wrong: tensor-without-factor | two mistakes: the result is a torch tensor, not a plain float; and `factor` is ignored.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = torch.tensor(float(max(step, 1)))
    return torch.rsqrt(torch.tensor(float(d_model))) * torch.minimum(step.rsqrt(), step * warmup**-1.5)

# %% wrong: root-of-the-width-multiplied | the rate is multiplied by the root of d_model instead of divided by it (the exponent's minus is lost): wider models get higher rates.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**0.5 * min(rise, fall)
    return rate

# %% right: two-pieces-that-meet
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step < 1:
        step = 1
    peak = factor / math.sqrt(d_model * warmup)
    if step < warmup:
        return peak * step / warmup
    return peak * math.sqrt(warmup / step)
