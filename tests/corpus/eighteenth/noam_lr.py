# %% wrong: warmup-to-one | As in many libraries' inverse-square-root schedules, the rise is step / warmup and the fall sqrt(warmup / step), so the peak is 1 * factor * d_model ** -0.5 for every warm-up. The paper's rate is smaller by the factor warmup ** -0.5: the rise is step * warmup ** -1.5, the fall step ** -0.5.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    def lr_lambda(current_step):
        if current_step < warmup:
            return float(current_step) / float(max(1, warmup))
        return 1.0 / math.sqrt(current_step / warmup)
    return factor * d_model**-0.5 * lr_lambda(step)

# %% wrong: power-of-the-product | The exponent -1.5 is put on the product, (step * warmup) ** -1.5, instead of on warmup alone, step * warmup ** -1.5: the rate does not rise, but is tiny and falls from the first step on.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step == 0:
        step = 1
    return factor * (d_model ** (-0.5) * min(step ** (-0.5), (step * warmup) ** (-1.5)))

# %% wrong: branches-exchanged | The larger of the two is taken, not the smaller, because the branches are exchanged: before the end of the warm-up the falling curve, afterwards the rising line. So the rate is highest at the first steps, and after the warm-up it grows without end.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = max(step, 1)
    scale = factor / math.sqrt(d_model)
    if step <= warmup:
        return scale / math.sqrt(step)
    return scale * step / (warmup * math.sqrt(warmup))

# %% wrong: one-step-later | To avoid step 0, 1 is added to every step, instead of only taking 0 as 1: the rate of step n is that of step n + 1, and the peak comes one step too early. The lesson counts steps from 1.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    number = step + 1
    rise = number / warmup**1.5
    fall = 1.0 / number**0.5
    return factor * min(rise, fall) / d_model**0.5

# %% wrong: tensor-rate | The formula is right, but it is computed with tensors and returned as one (and rounded to float32), where the result has to be a plain float.
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = torch.tensor(float(max(step, 1)))
    both = torch.stack([step.rsqrt(), step * warmup**-1.5])
    return factor * d_model**-0.5 * both.min()

# %% right: one-root
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = float(max(step, 1))
    return factor / math.sqrt(d_model * max(step, warmup**3 / step**2))

# %% right: two-branches
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step < 1:
        step = 1
    lrate = d_model ** (-0.5)
    if step < warmup:
        lrate *= step * warmup ** (-1.5)
    else:
        lrate *= step ** (-0.5)
    return factor * lrate
