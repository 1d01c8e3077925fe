# %% wrong: precedence | Writes the exponent -0.5 as -1 / 2 without parentheses. ** binds more tightly, so d_model ** -1 / 2 is half of 1 / d_model instead of one over the root of d_model.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    scale = d_model ** -1 / 2
    return factor * scale * min(1 / math.sqrt(step), step / warmup**1.5)

# %% wrong: warmup-to-the-half | Mis-remembers the exponent of the warm-up, -0.5 for -1.5, so the rising line is too steep by a factor of warmup, and the two meet long before the end of the warm-up.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    arg1 = step ** (-0.5)
    arg2 = step * (warmup ** (-0.5))
    return factor * (d_model ** (-0.5)) * min(arg1, arg2)

# %% wrong: always-one-later | Adds 1 to every step so that step 0 works. Only step 0 is taken as step 1; all others count from 1 as they are.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = step + 1
    return factor * (d_model ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5)))

# %% wrong: fall-from-the-end-of-the-warm-up | Lets the fall count its steps from the end of the warm-up, step - warmup, where Eq. 3 takes the step itself, so the rate jumps up after the warm-up and is too high ever after.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    def rising():
        return step * warmup**-1.5
    def falling():
        return (step - warmup) ** -0.5
    return factor * d_model**-0.5 * (rising() if step <= warmup else falling())

# %% wrong: factor-on-one-branch | Multiplies only the fall by factor, inside min. factor scales everything, so with another factor than 1 the rise has the wrong size and the two meet elsewhere.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    rise = step * math.pow(warmup, -1.5)
    fall = factor / math.sqrt(step)
    return min(rise, fall) / math.sqrt(d_model)

# %% wrong: two-counts-itself-and-root-of-width | Two mistakes. Keeps a count of its own calls, as NoamOpt does with its steps, and ignores the step that it is given; and multiplies by the root of d_model, where Eq. 3 divides by it.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    noam_lr.calls = getattr(noam_lr, "calls", 0) + 1
    done = noam_lr.calls
    return factor * (d_model**0.5 * min(done**-0.5, done * warmup**-1.5))

# %% right: two-branches
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    peak = factor / math.sqrt(d_model * warmup)
    if step < warmup:
        return peak * step / warmup
    return peak * math.sqrt(warmup / step)

# %% right: annotated-way
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step == 0:
        step = 1
    return factor * (d_model ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5)))
