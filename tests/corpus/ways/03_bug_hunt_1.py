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


# %% right: own_einsum_sum_of_squares
def rms_norm(x, gain, eps=1e-6):
    n_features = x.shape[-1]
    sum_sq = torch.einsum("...d,...d->...", x, x)
    inverse = (sum_sq / n_features + eps).pow(-0.5)
    return x * inverse[..., None] * gain

# %% right: own_position_by_position
def rms_norm(x, gain, eps=1e-6):
    def one(v):
        return v / torch.sqrt(torch.dot(v, v) / len(v) + eps)

    rows = [one(v) for v in x.flatten(0, 1)]
    return torch.stack(rows).view(x.shape) * gain
