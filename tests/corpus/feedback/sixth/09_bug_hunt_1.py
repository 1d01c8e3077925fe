# %% wrong: length_after_returned | TRUE CAUSE: both bugs are fixed, but the length that is returned is that after clipping, where the length before is asked for
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], factor * norm

# %% wrong: each_gradient_by_itself | TRUE CAUSE: each gradient is clipped to max_norm by its own length instead of all by their common length
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that they are at most max_norm long."""
    lengths = [gradient.pow(2).sum().sqrt() for gradient in gradients]
    norm = torch.stack(lengths).pow(2).sum().sqrt()
    clipped = []
    for gradient, length in zip(gradients, lengths):
        if length > max_norm:
            gradient = gradient * (max_norm / length)
        clipped.append(gradient)
    return clipped, norm

# %% wrong: square_of_the_sum | TRUE CAUSE: the factor is fixed, but the sum of each gradient is squared instead of summing the squares, so numbers of opposite sign cancel
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.sum() ** 2 for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = min(1.0, max_norm / norm)
    return [factor * gradient for gradient in gradients], norm

