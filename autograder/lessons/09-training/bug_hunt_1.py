def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.square().sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = (max_norm / norm).clamp(max=1.0)
    return [factor * gradient for gradient in gradients], norm
