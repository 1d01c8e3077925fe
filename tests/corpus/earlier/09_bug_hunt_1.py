# %% wrong: own_compares_squared_length | The condition compares the squared length with max_norm instead of the length (or with max_norm ** 2), so for lengths between sqrt(max_norm) and max_norm gradients that are short enough, such as (3, 4) with max_norm=10, are lengthened (and for max_norm < 1 some that are too long stay as they are).
def clip_gradients(gradients, max_norm):
    everything = torch.cat([g.reshape(-1) for g in gradients])
    length = everything.dot(everything)
    if length <= max_norm:
        return list(gradients), length.sqrt()
    norm = length.sqrt()
    return [g * (max_norm / norm) for g in gradients], norm

# %% wrong: own_each_by_its_own_length | The common length only decides whether to clip; each tensor is then divided by its own length, so every one becomes max_norm long and all together are longer than max_norm.
def clip_gradients(gradients, max_norm):
    def length(numbers):
        return numbers.flatten().pow(2).sum().sqrt()
    norm = length(torch.cat([g.flatten() for g in gradients]))
    if norm <= max_norm:
        return list(gradients), norm
    return [g * (max_norm / length(g)) for g in gradients], norm

# %% wrong: own_shrinks_to_length_one | Gradients that are too long are divided by their length, so they become 1 long and not max_norm long. It is right only for max_norm=1.
def clip_gradients(gradients, max_norm):
    total = 0
    for gradient in gradients:
        total = total + (gradient * gradient).sum()
    norm = total.sqrt()
    if norm > max_norm:
        gradients = [gradient / norm for gradient in gradients]
    return list(gradients), norm

# %% wrong: in-place-like-torch | Multiplies the gradients in place and returns them, as PyTorch's own function does. Here nothing may be changed in place: the caller's tensors have to stay what they were.
def clip_gradients(gradients, max_norm):
    grads = [g for g in gradients if g is not None]
    total_norm = torch.stack([g.detach().pow(2).sum() for g in grads]).sum().sqrt()
    clip_coef_clamped = torch.clamp(max_norm / total_norm, max=1.0)
    for g in grads:
        g.mul_(clip_coef_clamped)
    return grads, total_norm
