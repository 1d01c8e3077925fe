# %% right: rsqrt
def rms_norm(x, gain, eps=1e-6):
    mean_square = (x * x).mean(-1, keepdim=True)
    return x * torch.rsqrt(mean_square + eps) * gain


# %% right: by_sum_over_size
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    squares = torch.einsum("...d,...d->...", x, x).unsqueeze(-1)
    return gain * (x / (squares / x.size(-1) + eps) ** 0.5)
