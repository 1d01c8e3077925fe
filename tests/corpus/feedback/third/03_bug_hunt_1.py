# %% wrong: only_the_order_repaired | TRUE CAUSE: only the mean of the squares is repaired; the root is still missing, so x is divided by the mean square itself.
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square + eps)  # (N, T, D)
    return scale * x

# %% wrong: only_the_root_repaired | TRUE CAUSE: only the root is put in; the square is still taken of the mean and not the mean of the squares, so x is divided by the size of its mean.
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.mean(dim=2, keepdim=True).square()  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x

# %% wrong: sum_of_the_squares | TRUE CAUSE: the squares are summed instead of averaged, so x is divided by its length, which is larger by the root of D.
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().sum(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square + eps).sqrt()  # (N, T, D)
    return scale * x

# %% wrong: variance_in_place_of_the_mean_square | TRUE CAUSE: the variance is taken for the mean square, so the mean is subtracted before squaring, as in LayerNorm.
def rms_norm(x, gain, eps=1e-6):
    variance = x.var(dim=-1, keepdim=True, unbiased=False)
    return gain * x / torch.sqrt(variance + eps)

# %% wrong: eps_outside_the_root | TRUE CAUSE: eps is added to the root instead of under it.
def rms_norm(x, gain, eps=1e-6):
    rms = x.pow(2).mean(-1, keepdim=True).sqrt()
    return gain * x / (rms + eps)

# %% wrong: two_no_eps_and_mean_over_the_sentence | TRUE CAUSE: two mistakes: eps is left out, so a position of zeros becomes nan, and the mean runs over the words as well as the features, so the positions of a sentence share it.
def rms_norm(x, gain, eps=1e-6):
    mean_square = (x * x).mean(dim=(1, 2), keepdim=True)
    return x / mean_square.sqrt() * gain
