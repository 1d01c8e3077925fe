# %% wrong: never-left-alone | the norm is right now, but the factor is not limited to 1: gradients that are short enough are still stretched to max_norm.
def clip_gradients(gradients, max_norm):
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm

# %% wrong: lengths-added-up | the factor is limited, but the lengths of the single tensors are simply added up; that is not the length of one vector that holds all their numbers.
def clip_gradients(gradients, max_norm):
    lengths = [gradient.square().sum().sqrt() for gradient in gradients]
    norm = torch.stack(lengths).sum()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: limited-from-the-wrong-side | the norm is right, but the factor is made at least 1 instead of at most 1 (clamp(min=1)): long gradients stay as they are and short ones are stretched.
def clip_gradients(gradients, max_norm):
    squares = [(gradient**2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = torch.clamp(max_norm / norm, min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: list-alone | where the gradients are short enough only the list is returned, without the norm: who unpacks two results gets an error or a wrong one.
def clip_gradients(gradients, max_norm):
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    norm = torch.tensor(norm)
    if norm <= max_norm:
        return gradients
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm

# %% right: one-long-vector
def clip_gradients(gradients, max_norm):
    everything = torch.cat([gradient.flatten() for gradient in gradients])
    norm = (everything @ everything).sqrt()
    if norm > max_norm:
        gradients = [gradient * (max_norm / norm) for gradient in gradients]
    return list(gradients), norm
