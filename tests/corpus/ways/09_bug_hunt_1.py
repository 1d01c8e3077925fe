# %% right: eleventh_own_loop_with_scale
def clip_gradients(gradients, max_norm):
    total = torch.zeros(())
    for g in gradients:
        total = total + torch.square(g).sum()
    before = torch.sqrt(total)
    scale = 1.0
    if before.item() > max_norm:
        scale = max_norm / before
    clipped = []
    for g in gradients:
        clipped.append(g * scale)
    return clipped, before
# %% right: twelfth_own_running_total
def clip_gradients(gradients, max_norm):
    total = 0
    for g in gradients:
        total = total + (g**2).sum()
    before = total**0.5
    divisor = torch.clamp(before / max_norm, min=1.0)
    return [g / divisor for g in gradients], before
