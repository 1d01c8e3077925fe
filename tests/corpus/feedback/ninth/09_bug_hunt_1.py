# %% wrong: square_of_the_sum | TRUE CAUSE: mends the squares in a wrong way, by squaring the sum of the absolute numbers of each gradient in place of summing the squares of its numbers, so the norm is too large wherever a gradient has more than one number that is not 0
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.abs().sum() ** 2 for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = min(1.0, max_norm / norm)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: factor_at_least_one | TRUE CAUSE: limits the factor from the wrong side, with clamp(min=1), so gradients that are too long stay as they are and short ones are stretched to max_norm
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.pow(2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: own_factor_limited_by_max_norm | TRUE CAUSE: limits the factor to max_norm in place of 1, so with a max_norm above 1 gradients that are short enough are stretched
def clip_gradients(gradients, max_norm):
    everything = torch.cat([g.reshape(-1) for g in gradients])
    length = torch.sqrt(torch.dot(everything, everything))
    shrink = torch.clamp(max_norm / length, max=max_norm)
    clipped = []
    for g in gradients:
        clipped.append(g * shrink)
    return clipped, length

# %% wrong: own_length_after | TRUE CAUSE: measures the returned length on the list that has been shrunk, so where something was clipped it returns max_norm and not the length before
def clip_gradients(gradients, max_norm):
    def length(tensors):
        return sum(torch.einsum("i,i->", t.flatten(), t.flatten()) for t in tensors).sqrt()

    if length(gradients) > max_norm:
        scale = max_norm / length(gradients)
        gradients = [g * scale for g in gradients]
    return gradients, length(gradients)
