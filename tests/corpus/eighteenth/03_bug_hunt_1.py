# %% wrong: no-root | Only the order of mean and square is mended: the features are divided by the mean of the squares, not by its root (there is no sqrt around mean square + eps), so the result is not of size 1 and scales inversely with x.
def rms_norm(x, gain, eps=1e-6):
    size = x.size(-1)
    mean_square = torch.einsum("ntd,ntd->nt", x, x) / size
    return x * gain / (mean_square + eps).unsqueeze(-1)

# %% wrong: square-of-the-mean | The root is there, but the mean is still taken before the square: the square of the mean, x.mean().square(), instead of the mean of the squares, x.square().mean(); for (1, 1, 5, 5) that is 9 and not 13, and for features of mean 0 it divides by about sqrt(eps).
def rms_norm(x, gain, eps=1e-6):
    def _norm(x):
        return x * torch.rsqrt(x.mean(-1, keepdim=True).pow(2) + eps)
    output = _norm(x)
    return output * gain

# %% wrong: eps-outside-root | Order and root are right, but eps is added to the root mean square after the root (x / (rms + eps)), where the lesson says "with eps under the root"; for small x, or an eps that is not tiny, the result is different.
def rms_norm(x, gain, eps=1e-6):
    norm_x = x.norm(2, dim=-1, keepdim=True)
    rms_x = norm_x * x.size(-1) ** (-1.0 / 2)
    x_normed = x / (rms_x + eps)
    return gain * x_normed

# %% wrong: l2-normalized | F.normalize divides by the length of the vector, the root of the SUM of the squares, and then it is multiplied by D ** -0.5 where D ** 0.5 would make the length a root MEAN square: the result is too small by the factor D.
def rms_norm(x, gain, eps=1e-6):
    scale = x.shape[-1] ** -0.5
    return F.normalize(x, dim=-1, eps=eps) * scale * gain

# %% wrong: one-plus-gain | The features are scaled by (1 + gain), as Gemma's code does, whose weights are stored as the difference from 1; here gain is the factor itself, so a gain of 1 must change nothing, but it doubles the result.
def rms_norm(x, gain, eps=1e-6):
    variance = x.pow(2).mean(-1, keepdim=True)
    x = x * torch.rsqrt(variance + eps)
    return x * (1.0 + gain)

# %% right: dot-with-itself
def rms_norm(x, gain, eps=1e-6):
    mean_square = (x.unsqueeze(-2) @ x.unsqueeze(-1)).squeeze(-1) / x.size(-1)
    return gain * x / (mean_square + eps).sqrt()

# %% right: rsqrt
def rms_norm(x, gain, eps=1e-6):
    def normed(x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return normed(x) * gain
