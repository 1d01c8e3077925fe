# %% wrong: only_order_fixed | TRUE CAUSE: the squares are averaged now, but the root is still missing
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square + eps)  # (N, T, D)
    return scale * x


# %% wrong: only_root_fixed | TRUE CAUSE: the root is there now, but it is still the square of the mean, not the mean of the squares
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.mean(dim=2, keepdim=True).square()  # (N, T, 1)
    scale = gain / (mean_square + eps).sqrt()  # (N, T, D)
    return scale * x


# %% wrong: eps_outside_the_root | TRUE CAUSE: eps is added to the root instead of under it
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    root_mean_square = x.square().mean(dim=2, keepdim=True).sqrt()  # (N, T, 1)
    scale = gain / (root_mean_square + eps)  # (N, T, D)
    return scale * x


# %% wrong: sum_of_squares | TRUE CAUSE: the squares are summed and not averaged: it divides by the length of the vector, which is larger by the root of D
def rms_norm(x, gain, eps=1e-6):
    length = (x.square().sum(dim=-1, keepdim=True) + eps).sqrt()
    return x / length * gain


# %% wrong: root_of_the_gain_too | TRUE CAUSE: the root is taken of the whole quotient, so of the gain as well (nan where it is negative)
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = (gain / (mean_square + eps)).sqrt()  # (N, T, D)
    return scale * x


# %% wrong: squares_in_place | TRUE CAUSE: square_ with an underscore overwrites x: what is scaled afterwards is the squares, and the caller's tensor is changed
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.square_().mean(dim=-1, keepdim=True)
    scale = gain / torch.sqrt(mean_square + eps)
    return scale * x


# %% wrong: mean_over_the_words_no_root | TRUE CAUSE: two mistakes: the mean runs over axis 1, the words, and the root is still missing
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=1, keepdim=True)
    scale = gain / (mean_square + eps)
    return scale * x


# %% wrong: variance_instead | TRUE CAUSE: the mean is subtracted before squaring: it divides by the standard deviation, as LayerNorm does, not by the root mean square
def rms_norm(x, gain, eps=1e-6):
    variance = x.var(dim=-1, keepdim=True, unbiased=False)
    return gain * x / (variance + eps).sqrt()
