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
