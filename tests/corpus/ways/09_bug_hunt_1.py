# %% right: one_long_vector
def clip_gradients(gradients, max_norm):
    together = torch.cat([gradient.reshape(-1) for gradient in gradients])
    norm = (together * together).sum().sqrt()
    if norm > max_norm:
        return [gradient * (max_norm / norm) for gradient in gradients], norm
    return list(gradients), norm

# %% right: divided_by_the_larger
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = torch.stack([(gradient**2).sum() for gradient in gradients])
    norm = squares.sum() ** 0.5
    factor = torch.where(norm > max_norm, max_norm / norm, torch.ones_like(norm))
    return [factor * gradient for gradient in gradients], norm


# %% right: own_one_long_vector
def clip_gradients(gradients, max_norm):
    everything = torch.cat([g.reshape(-1) for g in gradients])
    length = everything.square().sum().sqrt()
    shrink = torch.clamp(max_norm / length, max=1.0)
    return [g * shrink for g in gradients], length

# %% right: own_only_if_too_long
def clip_gradients(gradients, max_norm):
    total = torch.zeros(())
    for g in gradients:
        total = total + (g * g).sum()
    norm = total**0.5
    if norm <= max_norm:
        return list(gradients), norm
    return [g / norm * max_norm for g in gradients], norm


# %% right: tenth_own_one_long_vector
def clip_gradients(gradients, max_norm):
    everything = torch.cat([g.reshape(-1) for g in gradients])
    norm = everything.dot(everything).sqrt()
    if norm > max_norm:
        return [g * (max_norm / norm) for g in gradients], norm
    return list(gradients), norm

# %% right: tenth_own_loop_and_where
def clip_gradients(gradients, max_norm):
    total = torch.zeros(())
    for g in gradients:
        total = total + (g**2).sum()
    norm = total**0.5
    shrink = torch.where(norm > max_norm, max_norm / norm, torch.ones_like(norm))
    return [g.clone() * shrink for g in gradients], norm


# %% right: eleventh_own_one_long_vector
def clip_gradients(gradients, max_norm):
    long_vector = torch.cat([gradient.flatten() for gradient in gradients])
    length = long_vector.dot(long_vector).sqrt()
    if length <= max_norm:
        return list(gradients), length
    return [gradient * (max_norm / length) for gradient in gradients], length

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


# %% right: twelfth_own_one_long_vector
def clip_gradients(gradients, max_norm):
    everything = torch.cat([g.flatten() for g in gradients])
    norm = everything.dot(everything).sqrt()
    if norm <= max_norm:
        return list(gradients), norm
    return [g * (max_norm / norm) for g in gradients], norm

# %% right: twelfth_own_running_total
def clip_gradients(gradients, max_norm):
    total = 0
    for g in gradients:
        total = total + (g**2).sum()
    before = total**0.5
    divisor = torch.clamp(before / max_norm, min=1.0)
    return [g / divisor for g in gradients], before
