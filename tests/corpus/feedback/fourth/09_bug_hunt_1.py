# %% wrong: short_ones_stretched | TRUE CAUSE: the squares are repaired, the factor is not: gradients that are short enough are stretched to max_norm
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm

# %% wrong: sizes_not_squares | TRUE CAUSE: the factor is repaired, the squares are not: the root of the sum of absolute values is taken for the length
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.abs().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: clamped_from_below | TRUE CAUSE: the factor is kept at 1 or more where it should be at most 1: short gradients are stretched, long ones not shrunk
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: square_of_the_sum | TRUE CAUSE: squares the sum of each tensor where the sum of the squares is meant
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.sum() ** 2 for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: each_alone | TRUE CAUSE: each gradient is clipped by its own length, not by that of all together
def clip_gradients(gradients, max_norm):
    norm = torch.stack([gradient.pow(2).sum() for gradient in gradients]).sum().sqrt()
    clipped = []
    for gradient in gradients:
        length = gradient.pow(2).sum().sqrt()
        factor = (max_norm / length).clamp(max=1.0)
        clipped.append(factor * gradient)
    return clipped, norm

# %% wrong: lengths_added | TRUE CAUSE: both bugs are repaired, but the root is taken of each tensor: the lengths of the tensors are added, which is longer than all together
def clip_gradients(gradients, max_norm):
    norms = [gradient.pow(2).sum().sqrt() for gradient in gradients]
    norm = torch.stack(norms).sum()
    factor = min(1.0, max_norm / norm)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: the_wrong_case_and_length_after | TRUE CAUSE: two mistakes: the gradients are shrunk when they are shorter than max_norm and left when they are longer, and the length afterwards is returned and not that before
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long."""
    def length(tensors):
        return torch.stack([one.square().sum() for one in tensors]).sum().sqrt()

    norm = length(gradients)
    if norm < max_norm:
        gradients = [gradient * (max_norm / norm) for gradient in gradients]
    return gradients, length(gradients)
