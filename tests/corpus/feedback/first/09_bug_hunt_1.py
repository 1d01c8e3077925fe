# %% wrong: still_grows | TRUE CAUSE: the squares are mended, but the factor is not limited to 1, so gradients that are short enough are stretched to max_norm
def clip_gradients(gradients, max_norm):
    squares = [gradient.pow(2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / norm
    return [factor * gradient for gradient in gradients], norm

# %% wrong: wrong_side | TRUE CAUSE: the squares are mended, but the factor is limited from below (at least 1) instead of from above, so nothing is shrunk and short gradients are still stretched
def clip_gradients(gradients, max_norm):
    squares = [(gradient * gradient).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(min=1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: root_of_norms | TRUE CAUSE: the factor is mended, but the root is taken of the sum of the tensors' norms instead of the sum of their squares
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long."""
    squares = [gradient.square().sum().sqrt() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    if norm <= max_norm:
        return list(gradients), norm
    return [gradient * (max_norm / norm) for gradient in gradients], norm
