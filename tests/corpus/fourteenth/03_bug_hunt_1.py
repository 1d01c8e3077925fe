# %% wrong: eps_added_after_the_root | Squares and root are in the right order now, but eps is added after the root, not under it, so small inputs (or a large eps) come out wrong.
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x
# %% wrong: root_of_the_gain_too | The root is drawn around the whole fraction, so it is taken of the gain as well: wrong for every gain other than 1 (or 0), and nan for a negative one.
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = (gain / (mean_square + eps)).sqrt()  # (N, T, D)
    return scale * x
# %% wrong: own_divided_by_the_length | The squares are summed instead of averaged: x is divided by its vector length (L2 norm), so everything is too small by the root of D.
def rms_norm(x, gain, eps=1e-6):
    squares = torch.einsum("ntd,ntd->nt", x, x)
    length = (squares + eps).sqrt()
    return x / length[..., None] * gain
# %% wrong: own_standard_deviation | The root mean square is taken for the standard deviation: var subtracts the mean before it squares, but RMSNorm's squares are those of x itself.
def rms_norm(x, gain, eps=1e-6):
    spread = x.var(dim=-1, keepdim=True, unbiased=False)
    return gain * x * torch.rsqrt(spread + eps)
