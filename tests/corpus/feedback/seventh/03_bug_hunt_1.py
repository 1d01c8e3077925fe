# %% wrong: eps_beside_the_root | TRUE CAUSE: order and root are repaired, but eps is added to the root instead of under it, which shows where eps is large or x is tiny
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x


# %% wrong: sum_of_the_squares | TRUE CAUSE: it divides by the length of the vector, the root of the sum of the squares, and not by the root of their mean, so the result is too small by the root of D
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them."""
    squares = (x * x).sum(dim=-1, keepdim=True)  # (N, T, 1)
    return gain * x / torch.sqrt(squares + eps)


# %% wrong: variance_of_layer_norm | TRUE CAUSE: the mean of the squares was replaced by the variance, as in LayerNorm, which subtracts the mean before it squares; RMSNorm subtracts no mean
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.var(dim=2, keepdim=True, unbiased=False)  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x
