# %% wrong: eps_outside_the_root | TRUE CAUSE: both bugs are mended, but eps is added after the root (mean_square.sqrt() + eps) where the text wants it under the root
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x

# %% wrong: mean_of_absolute_values | TRUE CAUSE: the root is mended, but the mean is still taken before the square, now of the absolute values, so x is divided by the mean absolute value and not by the root mean square
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.abs().mean(dim=2, keepdim=True).square()  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x

# %% wrong: own_sum_divided_by_length_of_sentence | TRUE CAUSE: the sum of the squares is divided by x.shape[1], which is T, the number of words, and not by D, so the result is off by the factor sqrt(T / D)
def rms_norm(x, gain, eps=1e-6):
    squares = torch.einsum("ntd,ntd->nt", x, x) / x.shape[1]
    return torch.einsum("ntd,nt,d->ntd", x, torch.rsqrt(squares + eps), gain)

# %% wrong: own_loop_writes_into_x | TRUE CAUSE: out = x is no copy, so the loop writes the normalized rows into the caller's x
def rms_norm(x, gain, eps=1e-6):
    out = x
    for n in range(x.shape[0]):
        for t in range(x.shape[1]):
            row = x[n, t]
            rms = ((row**2).sum() / len(row) + eps) ** 0.5
            out[n, t] = row / rms * gain
    return out
