# %% right: tenth_own_one_line
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    s = float(step) if step > 0 else 1.0
    return float(factor * pow(d_model, -0.5) * sorted([pow(s, -0.5), s * pow(warmup, -1.5)])[0])
# %% right: two_cases
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    step = step or 1
    if step < warmup:
        rate = step / (warmup * math.sqrt(warmup))
    else:
        rate = 1 / math.sqrt(step)
    return float(factor * rate / math.sqrt(d_model))
# %% right: eleventh_own_two_branches_from_peak
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step < 1:
        step = 1
    peak = factor / math.sqrt(d_model * warmup)
    if step <= warmup:
        return peak * (step / warmup)
    return peak * math.sqrt(warmup / step)
# %% right: field_annotated_rate
def noam_lr(step, d_model, warmup=4000, factor=1.0):
    if step == 0:
        step = 1
    return factor * (d_model ** (-0.5) * min(step ** (-0.5), step * warmup ** (-1.5)))
