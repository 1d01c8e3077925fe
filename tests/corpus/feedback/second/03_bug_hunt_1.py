# %% wrong: axis_left | TRUE CAUSE: only the missing root was mended; the mean still runs over the words (dim=1) instead of the features
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=1, keepdim=True)  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x


# %% wrong: eps_after_root | TRUE CAUSE: axis and root are mended, but eps is now added outside of the root
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = torch.mean(x**2, -1, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x


# %% wrong: sum_of_squares | TRUE CAUSE: axis and root are mended, but the squares are summed instead of averaged, so x is divided by its length and not by its root mean square
def rms_norm(x, gain, eps=1e-6):
    length = torch.sqrt(torch.einsum("ntd,ntd->nt", x, x) + eps)
    return gain * x / length[..., None]


# %% wrong: squared_in_place | TRUE CAUSE: two mistakes: square_ changes x in place, so the caller's tensor and the numerator are squared, and the missing root was not mended
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square_().mean(dim=-1, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square + eps)  # (N, T, D)
    return scale * x
