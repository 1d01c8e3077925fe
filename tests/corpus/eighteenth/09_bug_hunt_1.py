# %% wrong: sum-of-norms | The lengths of the single gradients are added, where the length of all numbers together is the root of the sum of their squares: for (3) and (4) it gives 7 and not 5, so the gradients are shrunk too much and the returned length is too large.
def clip_gradients(gradients, max_norm):
    total_norm = sum(gradient.detach().pow(2).sum().sqrt() for gradient in gradients)
    clip_coef = torch.clamp(max_norm / total_norm, max=1.0)
    return [gradient * clip_coef for gradient in gradients], total_norm

# %% wrong: each-by-itself | Each gradient is shrunk by its own length, so that every single one is at most max_norm long, instead of all by one common factor: together they can still be longer than max_norm, and the direction of the whole changes.
def clip_gradients(gradients, max_norm):
    clipped, total = [], 0.0
    for gradient in gradients:
        square = (gradient * gradient).sum()
        total = total + square
        factor = (max_norm / square.sqrt()).clamp(max=1.0)
        clipped.append(gradient * factor)
    return clipped, total.sqrt()

# %% wrong: in-place | The numbers are right, but gradient.mul_ scales the caller's tensors in place, as PyTorch's own function does; a part of this course changes nothing in place and should return new tensors.
def clip_gradients(gradients, max_norm):
    parts = torch.stack([gradient.square().sum() for gradient in gradients])
    total_norm = parts.sum().sqrt()
    clip_coef_clamped = (max_norm / total_norm).clamp(max=1.0)
    for gradient in gradients:
        gradient.mul_(clip_coef_clamped)
    return gradients, total_norm

# %% wrong: lower-bound | The factor is bounded from below by 1 (max) instead of from above (min): long gradients are not shrunk at all, and short ones are still lengthened to max_norm.
def clip_gradients(gradients, max_norm):
    numbers = torch.cat([gradient.flatten() for gradient in gradients])
    norm = numbers.square().sum().sqrt()
    factor = torch.maximum(max_norm / norm, torch.ones_like(norm))
    return [factor * gradient for gradient in gradients], norm

# %% wrong: no-root-no-limit | Two mistakes. The root is missing, so the "length" is the sum of the squares, 25 for (3, 4); and the factor is not limited to 1, so gradients that are short enough are lengthened instead of staying as they are.
def clip_gradients(gradients, max_norm):
    norm = torch.zeros(())
    for gradient in gradients:
        flat = gradient.reshape(-1)
        norm = norm + torch.dot(flat, flat)
    return [gradient * max_norm / norm for gradient in gradients], norm

# %% right: one-long-vector
def clip_gradients(gradients, max_norm):
    together = torch.cat([gradient.reshape(-1) for gradient in gradients])
    length = together.square().sum().sqrt()
    factor = torch.clamp(max_norm / length, max=1.0)
    return [gradient * factor for gradient in gradients], length

# %% right: early-return
def clip_gradients(gradients, max_norm):
    norm = torch.stack([(gradient**2).sum() for gradient in gradients]).sum() ** 0.5
    if norm <= max_norm:
        return list(gradients), norm
    return [gradient / norm * max_norm for gradient in gradients], norm
