# %% wrong: root_of_the_gain_too | TRUE CAUSE: the root is taken of the whole fraction, so the gain goes under the root as well (and a negative gain becomes nan)
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them."""
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = (gain / (mean_square + eps)).sqrt()  # (N, T, D)
    return scale * x

# %% wrong: length_of_the_vector | TRUE CAUSE: x.norm is the root of the SUM of the squares, not of their mean: everything is too small by the root of D
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    length = x.norm(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (length.square() + eps).sqrt()  # (N, T, D)
    return scale * x

# %% wrong: variance_from_layer_norm | TRUE CAUSE: the variance is used in place of the mean square, as in LayerNorm: it subtracts the mean before squaring, and RMSNorm subtracts no mean
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them."""
    mean_square = x.var(dim=2, keepdim=True, unbiased=False)  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x

# %% wrong: root_taken_twice | TRUE CAUSE: the root is taken in the first line and once more in the second: the features are divided by the root of the root mean square, and eps is under the outer root only
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them."""
    mean_square = x.square().mean(dim=2, keepdim=True).sqrt()  # (N, T, 1)
    scale = gain / (mean_square + eps).sqrt()  # (N, T, D)
    return scale * x
