# %% wrong: the-larger-one | Takes the larger of rise and fall instead of the smaller: the rate begins very high, falls until the end of the warm-up, and then rises for ever.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = factor * d_model**-0.5 * max(rise, fall)
    return rate

# %% wrong: t2t-without-max | Multiplies a linear warm-up, min(1, step / warmup), by step^-0.5 instead of by max(step, warmup)^-0.5 as tensor2tensor does: the fall already acts during the warm-up, so the rate rises like the root of step, not in a straight line.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = float(max(step, 1))
    linear_warmup = min(1.0, step / warmup)
    rsqrt_decay = step**-0.5
    rsqrt_hidden_size = d_model**-0.5
    return factor * linear_warmup * rsqrt_decay * rsqrt_hidden_size

# %% wrong: every-step-moved-by-one | Adds 1 to every step because schedulers count from 0; only step 0 is to be taken as step 1, so step 1 gets the rate of step 2, and the peak comes one step early.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    def lr_lambda(current_step):
        current_step += 1
        return min(current_step**-0.5, current_step * warmup**-1.5)
    return factor * d_model**-0.5 * lr_lambda(step)

# %% wrong: power-before-slash | Writes the exponents as -1 / 2 and -3 / 2 without parentheses: the power binds first, so it computes half of step^-1 and half of warmup^-3 instead of the roots.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    now = step if step > 0 else 1
    candidates = [now ** -1 / 2, now * warmup ** -3 / 2]
    return factor / math.sqrt(d_model) * min(candidates)

# %% wrong: factor-inside-the-minimum | Applies factor only to the rising part, inside the minimum; factor scales everything, so after the warm-up the rate is the paper's, unscaled, and the peak stands at another step.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(1, step)
    warm = factor * step / (warmup * math.sqrt(warmup))
    cool = 1.0 / math.sqrt(step)
    if cool < warm:
        return cool / math.sqrt(d_model)
    return warm / math.sqrt(d_model)

# %% right: t2t
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    linear_warmup = min(1.0, step / warmup)
    rsqrt_decay = 1.0 / math.sqrt(max(step, warmup))
    return factor * linear_warmup * rsqrt_decay / math.sqrt(d_model)
