# %% wrong: only_the_root_added | TRUE CAUSE: only the missing root was repaired; the mean is still squared, instead of the mean of the squares being taken, so x is divided by the size of its mean.
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.mean(dim=2, keepdim=True).square()  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x


# %% wrong: eps_outside_the_root | TRUE CAUSE: both bugs are repaired, but eps is added after the root instead of under it; it shows with a large eps or tiny features.
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x


# %% wrong: sum_of_squares | TRUE CAUSE: the squares are added up instead of averaged, so x is divided by its length (L2 norm), which is sqrt(D) times the root mean square.
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    rms = ((x**2).sum(dim=-1, keepdim=True) + eps) ** 0.5  # (N, T, 1)
    return gain * x / rms
