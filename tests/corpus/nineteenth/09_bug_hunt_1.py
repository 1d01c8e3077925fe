# %% wrong: short-ones-stretched | Only the squares are mended: the factor max_norm / norm is larger than 1 where the gradients are short, so they are stretched to max_norm; those that are short enough have to stay as they are (a factor of at most 1).
def clip_gradients(gradients, max_norm):
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm

# %% wrong: root-of-absolute-values | Only the factor is mended: the length is still the root of the sum of the absolute values, where the numbers have to be squared before they are added.
def clip_gradients(gradients, max_norm):
    everything = torch.cat([gradient.flatten() for gradient in gradients])
    norm = everything.abs().sum().sqrt()
    factor = torch.clamp(max_norm / norm, max=1.0)
    return [gradient * factor for gradient in gradients], norm

# %% wrong: each-by-its-own | Shrinks each gradient by its own length, where one factor, from the length of all of them together, has to shrink all alike; otherwise the direction changes and together they may still be too long.
def clip_gradients(gradients, max_norm):
    clipped, total = [], 0.0
    for gradient in gradients:
        square = (gradient**2).sum()
        total = total + square
        factor = (max_norm / square.sqrt()).clamp(max=1.0)
        clipped.append(factor * gradient)
    return clipped, torch.sqrt(total)

# %% wrong: lengths-added | Adds the lengths of the single gradients, where the length of one long vector is the root of the sum of all squares: the root has to come after the sum, not before.
def clip_gradients(gradients, max_norm):
    norms = [torch.einsum("i,i->", g.reshape(-1), g.reshape(-1)).sqrt() for g in gradients]
    norm = torch.stack(norms).sum()
    if norm > max_norm:
        gradients = [g * (max_norm / norm) for g in gradients]
    return list(gradients), norm

# %% wrong: shrunk-in-place | Multiplies the given gradients in place (mul_), as torch's own function does; here a part changes nothing in place, so the list that is passed must keep its numbers, and the shrunk ones are new tensors.
def clip_gradients(gradients, max_norm):
    total_norm = torch.stack([g.pow(2).sum() for g in gradients]).sum().sqrt()
    clip_coef = (max_norm / total_norm).clamp(max=1.0)
    for g in gradients:
        g.mul_(clip_coef)
    return gradients, total_norm

# %% right: early-return
def clip_gradients(gradients, max_norm):
    long_vector = torch.cat([gradient.reshape(-1) for gradient in gradients])
    norm = (long_vector @ long_vector).sqrt()
    if norm <= max_norm:
        return list(gradients), norm
    return [gradient * max_norm / norm for gradient in gradients], norm
