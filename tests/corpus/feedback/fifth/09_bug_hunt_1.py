# %% wrong: clamped_the_wrong_way | TRUE CAUSE: the length is repaired, but the factor is clamped from below at 1 instead of from above: long gradients stay as they are, and short ones are still stretched
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.pow(2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm


# %% wrong: norms_not_squared | TRUE CAUSE: the factor is repaired, but the list holds each gradient's norm instead of its square, so the common length is the root of a sum of lengths
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum().sqrt() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = min(1.0, max_norm / norm)
    return [factor * gradient for gradient in gradients], norm


# %% wrong: each_gradient_by_itself | TRUE CAUSE: every gradient is shrunk by its own length instead of all of them by the common one
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long."""
    norm = torch.stack([(gradient**2).sum() for gradient in gradients]).sum().sqrt()
    clipped = []
    for gradient in gradients:
        length = (gradient**2).sum().sqrt()
        if length > max_norm:
            gradient = gradient * (max_norm / length)
        clipped.append(gradient)
    return clipped, norm


# %% wrong: length_after_instead_of_before | TRUE CAUSE: both bugs are repaired, but the length that is returned is the one after shrinking, not the one before
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [(gradient * gradient).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    if norm > max_norm:
        factor = max_norm / norm
        gradients = [factor * gradient for gradient in gradients]
        norm = factor * norm
    return gradients, norm
