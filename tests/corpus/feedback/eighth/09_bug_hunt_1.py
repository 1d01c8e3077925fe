# %% wrong: each_gradient_by_its_own_length | TRUE CAUSE: each gradient is shrunk by its own length instead of all by their common one, so their directions change and together they may still be too long
def clip_gradients(gradients, max_norm):
    squares = [gradient.pow(2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    clipped = []
    for gradient, square in zip(gradients, squares):
        length = square.sqrt()
        clipped.append(gradient * max_norm / length if length > max_norm else gradient)
    return clipped, norm


# %% wrong: sum_of_lengths | TRUE CAUSE: the common length is the sum of the lengths of the single gradients instead of the root of the sum of all squares
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long."""
    lengths = [(gradient * gradient).sum().sqrt() for gradient in gradients]
    norm = torch.stack(lengths).sum()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm


# %% wrong: short_ones_stretched | TRUE CAUSE: the squares were repaired, but the second bug was taken for a division by zero: the factor is still not limited to 1, so short gradients are stretched to max_norm
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / (norm + 1e-6)
    return [factor * gradient for gradient in gradients], norm
