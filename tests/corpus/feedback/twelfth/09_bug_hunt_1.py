# %% wrong: clamp_turned_round | TRUE CAUSE: the factor is clamped from below (min=1) instead of from above, so long gradients stay long and short ones are stretched to max_norm
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: square_of_the_sum | TRUE CAUSE: the first bug is mended with the square of each tensor's sum instead of the sum of its squares, so (3, 4) has the length 7 and numbers of opposite sign cancel
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.sum() ** 2 for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = min(1.0, max_norm / norm)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: own_each_on_its_own | TRUE CAUSE: the common length is computed rightly but each tensor is shrunk by its own length, so together they can still be longer than max_norm and long sets are not scaled by one factor
def clip_gradients(gradients, max_norm):
    def length(t):
        return (t * t).sum().sqrt()

    together = length(torch.cat([g.reshape(-1) for g in gradients]))
    clipped = []
    for g in gradients:
        own = length(g)
        clipped.append(g * (max_norm / own) if own > max_norm else g)
    return clipped, together

# %% wrong: own_length_after | TRUE CAUSE: the second result is computed from the already shrunk gradients, so it is the length after clipping (at most max_norm) and not the length before
def clip_gradients(gradients, max_norm):
    def length(tensors):
        return sum(t.pow(2).sum() for t in tensors) ** 0.5

    if length(gradients) > max_norm:
        scale = max_norm / length(gradients)
        gradients = [scale * g for g in gradients]
    return gradients, length(gradients)
