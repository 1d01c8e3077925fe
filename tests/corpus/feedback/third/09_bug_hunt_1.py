# %% wrong: only_squares_repaired | TRUE CAUSE: only the squares are repaired; the factor may still be above 1, so short gradients are stretched to max_norm
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [(gradient**2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm


# %% wrong: only_factor_repaired | TRUE CAUSE: only the factor is repaired; the length is still the root of the sum of absolute values
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.abs().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = min(1.0, max_norm / norm)
    return [factor * gradient for gradient in gradients], norm


# %% wrong: lengths_added_up | TRUE CAUSE: the length of each tensor is taken and these lengths are added up, instead of one root of the sum of all squares
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.pow(2).sum().sqrt() for gradient in gradients]
    norm = torch.stack(squares).sum()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm


# %% wrong: factor_at_least_one | TRUE CAUSE: the factor is bounded on the wrong side: it is at least 1, so long gradients are never shrunk and short ones are stretched
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = torch.clamp(max_norm / norm, min=1.0)
    return [factor * gradient for gradient in gradients], norm


# %% wrong: each_on_its_own | TRUE CAUSE: each tensor is clipped by its own length instead of the common one
def clip_gradients(gradients, max_norm):
    clipped = []
    for gradient in gradients:
        own = gradient.pow(2).sum().sqrt()
        clipped.append(gradient * min(1.0, max_norm / own))
    norm = torch.stack([gradient.pow(2).sum() for gradient in gradients]).sum().sqrt()
    return clipped, norm


# %% wrong: returns_the_length_after | TRUE CAUSE: returns the length after clipping instead of the length before
def clip_gradients(gradients, max_norm):
    norm = torch.cat([gradient.flatten() for gradient in gradients]).pow(2).sum().sqrt()
    if norm > max_norm:
        gradients = [gradient * max_norm / norm for gradient in gradients]
        norm = torch.cat([gradient.flatten() for gradient in gradients]).pow(2).sum().sqrt()
    return gradients, norm


# %% wrong: mean_and_fixed_one | TRUE CAUSE: two mistakes: squares are averaged within each tensor instead of summed, and gradients are left alone where their length is at most 1, whatever max_norm is
def clip_gradients(gradients, max_norm):
    squares = [(gradient * gradient).mean() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    if norm <= 1:
        return gradients, norm
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm
