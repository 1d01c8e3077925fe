# %% wrong: warmup-exponent | The exponent of warmup is -0.5 where Eq. 3 has -1.5: the rise is far too steep, so the two lines meet after a few steps (at the cube root of warmup), not at the end of the warm-up.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-0.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate

# %% wrong: larger-of-the-two | Takes the larger of rise and fall where Eq. 3 takes the smaller, so the rate falls first, and then grows without end.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(1, step)
    scale = factor / math.sqrt(d_model)
    ends = sorted([1.0 / math.sqrt(step), step / (warmup * math.sqrt(warmup))])
    return scale * ends[-1]

# %% wrong: peak-of-one | Writes the schedule as fairseq and Hugging Face do, with step / warmup, then the root of warmup / step, which is 1 at the end of the warm-up; Eq. 3 has warmup^-0.5 there, so a factor of warmup^-0.5 is missing, and a longer warm-up doesn't lower the peak.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    base = factor * d_model**-0.5
    if step < warmup:
        return base * step / warmup
    return base * (warmup / step) ** 0.5

# %% wrong: one-step-ahead | Adds 1 to every step because PyTorch's schedulers count from 0, so each step gets the rate of the next; steps count from 1, and only step 0 is taken as step 1.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    number = float(step + 1)
    rise, fall = number * math.pow(warmup, -1.5), math.pow(number, -0.5)
    return factor * math.pow(d_model, -0.5) * min(rise, fall)

# %% right: piecewise
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = step or 1
    slower = warmup**1.5 / step if step < warmup else math.sqrt(step)
    return factor / (math.sqrt(d_model) * slower)
