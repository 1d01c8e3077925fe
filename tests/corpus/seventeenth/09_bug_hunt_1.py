# %% wrong: absolute-values | Mends the factor only. The length is still the root of the sum of absolute values, where the numbers have to be squared.
def clip_gradients(gradients, max_norm):
    squares = [gradient.abs().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: clamped-from-below | Mends the squares, but clamps the factor with min=1 instead of max=1, so long gradients are left as they are and short ones are stretched.
def clip_gradients(gradients, max_norm):
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = torch.clamp(max_norm / norm, min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: each-by-its-own-length | Shrinks every gradient by its own length. The length is that of one vector that holds all numbers, with one factor for all.
def clip_gradients(gradients, max_norm):
    def shrunk(gradient):
        own = gradient.flatten().dot(gradient.flatten()).sqrt()
        return gradient * (max_norm / own).clamp(max=1.0)
    everything = torch.cat([gradient.flatten() for gradient in gradients])
    return [shrunk(gradient) for gradient in gradients], everything.dot(everything).sqrt()

# %% wrong: in-place-like-torch | Multiplies the gradients in place and returns them, as PyTorch's own function does. Here nothing may be changed in place: the caller's tensors have to stay what they were.
def clip_gradients(gradients, max_norm):
    grads = [g for g in gradients if g is not None]
    total_norm = torch.stack([g.detach().pow(2).sum() for g in grads]).sum().sqrt()
    clip_coef_clamped = torch.clamp(max_norm / total_norm, max=1.0)
    for g in grads:
        g.mul_(clip_coef_clamped)
    return grads, total_norm

# %% wrong: sum-of-lengths | Adds up the lengths of the single tensors. The length of the whole is the root of the sum of their squares, so this one is too long.
def clip_gradients(gradients, max_norm):
    norm = sum(gradient.square().sum().sqrt() for gradient in gradients)
    if norm <= max_norm:
        return list(gradients), norm
    return [gradient * (max_norm / norm) for gradient in gradients], norm

# %% wrong: two-mean-square-and-values | Two mistakes. Measures the root of the mean of the squares instead of the root of their sum; and when that is too long, cuts each number at max_norm instead of shrinking all by one factor.
def clip_gradients(gradients, max_norm):
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    norm = flat.square().mean().sqrt()
    if norm > max_norm:
        gradients = [gradient.clamp(-max_norm, max_norm) for gradient in gradients]
    return list(gradients), norm

# %% right: one-long-vector
def clip_gradients(gradients, max_norm):
    numbers = torch.cat([gradient.reshape(-1) for gradient in gradients])
    norm = torch.einsum("i,i->", numbers, numbers).sqrt()
    if norm > max_norm:
        return [gradient * max_norm / norm for gradient in gradients], norm
    return list(gradients), norm

# %% right: no-division-by-a-short-length
def clip_gradients(gradients, max_norm):
    squares = torch.stack([gradient.pow(2).sum() for gradient in gradients])
    norm = squares.sum().sqrt()
    longest = norm.clamp(min=max_norm)
    return [gradient * (max_norm / longest) for gradient in gradients], norm
