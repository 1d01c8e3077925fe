# %% wrong: own_fall_from_end_of_warmup | after the warm-up the fall counts its steps from the end of the warm-up, scaled from the peak, (step - warmup + 1) ** -0.5, instead of from the first step, so the rate falls far too fast
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(1, step)
    peak = factor / math.sqrt(d_model * warmup)
    if step <= warmup:
        return peak * step / warmup
    return peak / math.sqrt(step - warmup + 1)
