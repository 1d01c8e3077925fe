# %% wrong: clamped_from_below | TRUE CAUSE: The norm is mended, but the factor is clamped with min=1.0 instead of max=1.0: gradients that are too long stay as they are and short ones are lengthened to max_norm.
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.pow(2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: square_of_the_sum | TRUE CAUSE: The factor is mended, but the sum of each gradient is squared instead of the sum of the squares taken (sum().square() for square().sum()), so the norm of (3, 4) is 7, and numbers of opposite sign cancel.
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.sum().square() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = torch.clamp(max_norm / norm, max=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: own_compares_squared_length | TRUE CAUSE: The condition compares the squared length with max_norm instead of the length (or with max_norm ** 2), so for lengths between sqrt(max_norm) and max_norm gradients that are short enough, such as (3, 4) with max_norm=10, are lengthened (and for max_norm < 1 some that are too long stay as they are).
def clip_gradients(gradients, max_norm):
    everything = torch.cat([g.reshape(-1) for g in gradients])
    length = everything.dot(everything)
    if length <= max_norm:
        return list(gradients), length.sqrt()
    norm = length.sqrt()
    return [g * (max_norm / norm) for g in gradients], norm

# %% wrong: own_length_after | TRUE CAUSE: The list is clipped rightly, but the length returned is min(norm, max_norm), that of the gradients after clipping, instead of that before.
def clip_gradients(gradients, max_norm):
    total = sum((g * g).sum() for g in gradients)
    norm = torch.sqrt(total)
    if norm > max_norm:
        gradients = [g / norm * max_norm for g in gradients]
        norm = norm / norm * max_norm
    return gradients, norm
