# %% wrong: factor_at_least_one | TRUE CAUSE: The factor is clamped from below (min=1.0) instead of from above, so long gradients are not shrunk and short ones are still stretched to max_norm.
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: sums_before_squaring | TRUE CAUSE: The square is taken of each tensor's sum of absolute values instead of of each number, so the norm of (3, 4) is 7 instead of 5 and gradients are shrunk too much.
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.abs().sum() ** 2 for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = torch.clamp(max_norm / norm, max=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: own_each_by_its_own_length | TRUE CAUSE: The common length only decides whether to clip; each tensor is then divided by its own length, so every one becomes max_norm long and all together are longer than max_norm.
def clip_gradients(gradients, max_norm):
    def length(numbers):
        return numbers.flatten().pow(2).sum().sqrt()

    norm = length(torch.cat([g.flatten() for g in gradients]))
    if norm <= max_norm:
        return list(gradients), norm
    return [g * (max_norm / length(g)) for g in gradients], norm

# %% wrong: own_length_after | TRUE CAUSE: The returned norm is recomputed from the shrunk gradients, so the length after clipping is given back instead of the length before.
def clip_gradients(gradients, max_norm):
    norm = torch.sqrt(sum((g * g).sum() for g in gradients))
    if norm > max_norm:
        gradients = [g * max_norm / norm for g in gradients]
        norm = torch.sqrt(sum((g * g).sum() for g in gradients))
    return gradients, norm
