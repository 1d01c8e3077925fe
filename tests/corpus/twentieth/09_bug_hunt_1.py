# %% wrong: short-ones-lengthened | Repairs the squares but leaves the factor without a limit of 1: gradients that are shorter than max_norm are lengthened to it, although they should stay as they are.
def clip_gradients(gradients, max_norm):
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm

# %% wrong: each-tensor-alone | Measures and shrinks each tensor by itself: together they may still be longer than max_norm, and the direction changes; the norm is that of one vector that holds all their numbers.
def clip_gradients(gradients, max_norm):
    clipped, squared = [], 0.0
    for gradient in gradients:
        square = (gradient * gradient).sum()
        squared = squared + square
        factor = torch.clamp(max_norm / square.sqrt(), max=1.0)
        clipped.append(gradient * factor)
    return clipped, squared**0.5

# %% wrong: norms-added-up | Adds the norms of the tensors instead of their squares: the length of the whole vector is the root of the sum of all squares, so with more than one tensor the norm comes out too large and the gradients too short.
def clip_gradients(gradients, max_norm):
    lengths = torch.stack([gradient.pow(2).sum().sqrt() for gradient in gradients])
    norm = lengths.sum()
    if norm <= max_norm:
        return list(gradients), norm
    return [gradient * (max_norm / norm) for gradient in gradients], norm

# %% wrong: pytorch-in-place | Scales the gradients in place with mul_, as clip_grad_norm_ does: the caller's tensors are changed, but a part changes nothing in place, and this function returns the list.
def clip_gradients(gradients, max_norm):
    total_norm = torch.stack([g.detach().square().sum() for g in gradients]).sum().sqrt()
    clip_coef = max_norm / total_norm
    clip_coef_clamped = torch.clamp(clip_coef, max=1.0)
    for g in gradients:
        g.mul_(clip_coef_clamped)
    return gradients, total_norm

# %% wrong: tensorflow-the-smaller-one | Writes clip_by_global_norm with the smaller of norm and max_norm in the denominator instead of the larger: long gradients stay as they are, and short ones are lengthened to max_norm.
def clip_gradients(gradients, max_norm):
    global_norm = torch.cat([t.reshape(-1) for t in gradients]).square().sum().sqrt()
    scale = max_norm / torch.clamp(global_norm, max=max_norm)
    return [t * scale for t in gradients], global_norm

# %% right: the-larger-one-below
def clip_gradients(gradients, max_norm):
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    norm = torch.sqrt(torch.dot(flat, flat))
    scale = max_norm / norm.clamp(min=max_norm)
    return [gradient * scale for gradient in gradients], norm

# %% right: only-if-too-long
def clip_gradients(gradients, max_norm):
    norm = sum((gradient**2).sum() for gradient in gradients) ** 0.5
    if norm > max_norm:
        return [gradient / norm * max_norm for gradient in gradients], norm
    return [gradient.clone() for gradient in gradients], norm
