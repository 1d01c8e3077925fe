# %% wrong: short_ones_still_grow | TRUE CAUSE: Mended halfway: the squares are right now, but the factor may still be above 1, so gradients that are short enough are stretched to max_norm.
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.pow(2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm

# %% wrong: sum_of_absolutes | TRUE CAUSE: The factor is limited to 1 now, but the norm is still wrong: the root was taken away instead of squaring, so it is the sum of absolute values.
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.abs().sum() for gradient in gradients]
    norm = torch.stack(squares).sum()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: clamped_at_max_norm | TRUE CAUSE: The norm is mended, but the factor is limited to max_norm instead of to 1, so with a max_norm above 1 short gradients still grow.
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long."""
    norm = torch.cat([gradient.reshape(-1) for gradient in gradients]).square().sum().sqrt()
    factor = torch.clamp(max_norm / norm, max=max_norm)
    return [factor * gradient for gradient in gradients], norm
