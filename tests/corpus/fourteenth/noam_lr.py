# %% wrong: rise_to_one | The rise is taken as the share of the warm-up that is done, step / warmup, instead of step * warmup ** -1.5. The two curves then do not meet at the end of the warm-up, and the rate is much too high and peaks too early.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step / warmup
    fall = step**-0.5
    rate = factor * d_model**-0.5 * min(rise, fall)
    return rate
# %% wrong: factor_unused | The factor, which is to scale everything, is not used in the rate.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)  # schedulers count from 0, the paper from 1
    rise = step * warmup**-1.5
    fall = step**-0.5
    rate = d_model**-0.5 * min(rise, fall)
    return rate
# %% wrong: own_every_step_counted_one_later | To avoid step 0 every step is counted one higher. Only step 0 is taken as step 1; step 1 is the paper's step 1 and not its step 2.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    count = step + 1
    curves = (1 / math.sqrt(count), count / (warmup * math.sqrt(warmup)))
    return factor * min(curves) / math.sqrt(d_model)
# %% wrong: own_fall_counted_from_the_peak | After the warm-up the root is taken of the steps since the end of the warm-up. Eq. 3 takes the root of all steps, so here the rate jumps up after the peak and then falls much too fast.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    if step <= warmup:
        height = step / warmup**1.5
    else:
        height = (step - warmup) ** -0.5
    return float(factor * height / d_model**0.5)
