# %% wrong: own_fall_from_end_of_warmup | after the warm-up the fall counts its steps from the end of the warm-up, scaled from the peak, (step - warmup + 1) ** -0.5, instead of from the first step, so the rate falls far too fast
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(1, step)
    peak = factor / math.sqrt(d_model * warmup)
    if step <= warmup:
        return peak * step / warmup
    return peak / math.sqrt(step - warmup + 1)

# %% wrong: two-counts-itself-and-root-of-width | Two mistakes. Keeps a count of its own calls, as NoamOpt does with its steps, and ignores the step that it is given; and multiplies by the root of d_model, where Eq. 3 divides by it.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    noam_lr.calls = getattr(noam_lr, "calls", 0) + 1
    done = noam_lr.calls
    return factor * (d_model**0.5 * min(done**-0.5, done * warmup**-1.5))
