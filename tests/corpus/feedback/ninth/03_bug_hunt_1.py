# %% wrong: root_of_gain_too | TRUE CAUSE: the root is taken of gain / (mean_square + eps) as a whole, so the square root of gain scales the features instead of gain, and a negative gain gives NaN
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = torch.sqrt(gain / (mean_square + eps))  # (N, T, D)
    return scale * x

# %% wrong: still_the_square_of_the_mean | TRUE CAUSE: only the missing root was found; mean_square is still the square of the mean, so x is divided by the absolute value of its mean, which is near 0 for centered features
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.mean(dim=2, keepdim=True).square()  # (N, T, 1)
    scale = gain / (mean_square + eps).sqrt()  # (N, T, D)
    return scale * x

# %% wrong: own_root_before_the_mean | TRUE CAUSE: each square is rooted before the mean is taken, so the divisor is the mean of the absolute values instead of the root of the mean of the squares
def rms_norm(x, gain, eps=1e-6):
    squares = torch.pow(x, 2)
    rms = torch.sqrt(squares + eps).mean(-1).unsqueeze(-1)
    return gain * (x / rms)

# %% wrong: own_divides_by_the_number_of_words | TRUE CAUSE: N, D, _ unpacks the shape of x wrongly (the second number is T, not D), so the sum of squares is divided by the number of words instead of the number of features
def rms_norm(x, gain, eps=1e-6):
    N, D, _ = x.shape
    sum_sq = torch.einsum("btd,btd->bt", x, x)
    inv_rms = 1 / torch.sqrt(sum_sq / D + eps)
    return torch.einsum("btd,bt,d->btd", x, inv_rms, gain)
