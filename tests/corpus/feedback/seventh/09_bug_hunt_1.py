# %% wrong: square_of_the_sum | TRUE CAUSE: sums the numbers of each gradient first and squares the sum, instead of summing the squares, so numbers of opposite sign cancel and others count too much
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [gradient.sum() ** 2 for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = min(max_norm / norm, 1.0)
    return [factor * gradient for gradient in gradients], norm

# %% wrong: each_gradient_clipped_alone | TRUE CAUSE: each gradient is compared with max_norm and shrunk by its own length, instead of all by the one length that they have together
def clip_gradients(gradients, max_norm):
    clipped, squares = [], []
    for gradient in gradients:
        square = gradient.pow(2).sum()
        length = square.sqrt()
        if length > max_norm:
            gradient = gradient * (max_norm / length)
        clipped.append(gradient)
        squares.append(square)
    return clipped, torch.stack(squares).sum().sqrt()

# %% wrong: small_number_against_zero_only | TRUE CAUSE: takes the possible division by 0 for the second bug and adds a small number to the norm; the factor may still be above 1, so short gradients are stretched to max_norm
def clip_gradients(gradients, max_norm):
    """Shrink gradients, a list of tensors, so that together they are at most max_norm long.

    Their length (or norm) is that of one vector that holds all their numbers. Gradients that are
    short enough stay as they are. Returns the list and the length before.
    """
    squares = [(gradient**2).sum() for gradient in gradients]
    norm = torch.stack(squares).sum().sqrt()
    factor = max_norm / (norm + 1e-6)
    return [factor * gradient for gradient in gradients], norm
