# %% wrong: eps_outside_the_root | TRUE CAUSE: both bugs are repaired, but eps is added to the root instead of under it
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x


# %% wrong: variance_as_in_layer_norm | TRUE CAUSE: the variance is taken for the mean of the squares, as in LayerNorm: it subtracts the mean before it squares
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.var(dim=2, keepdim=True, unbiased=False)  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x


# %% wrong: divided_by_rsqrt | TRUE CAUSE: rsqrt is already one over the root, and the gain is divided by it, so x is multiplied by its root mean square instead of divided by it
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them."""
    mean_square = (x * x).mean(dim=-1, keepdim=True)  # (N, T, 1)
    scale = gain / torch.rsqrt(mean_square + eps)
    return scale * x
