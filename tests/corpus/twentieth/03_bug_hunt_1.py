# %% wrong: square-of-the-mean | Adds the missing root but still squares the mean instead of taking the mean of the squares, so positive and negative features cancel and what is left is the size of the mean, not the root mean square.
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.mean(dim=2, keepdim=True).square()
    scale = gain / (mean_square + eps).sqrt()
    return scale * x

# %% wrong: sum-instead-of-mean | Divides by the length of the vector, the root of the sum of the squares; the root mean square divides that sum by D first, so every result is too small by the root of D.
def rms_norm(x, gain, eps=1e-6):
    length = torch.einsum("ntd,ntd->nt", x, x)
    factor = torch.rsqrt(length + eps)
    return torch.einsum("ntd,nt,d->ntd", x, factor, gain)

# %% wrong: eps-beside-the-root | Adds eps to the root mean square instead of under the root, as the first published RMSNorm code does; the text puts eps under the root, and for small features, or an eps that is not tiny, the result differs.
def rms_norm(x, gain, eps=1e-6):
    d_x = x.shape[-1]
    norm_x = x.norm(2, dim=-1, keepdim=True)
    rms_x = norm_x * d_x ** (-1.0 / 2)
    x_normed = x / (rms_x + eps)
    return gain * x_normed

# %% wrong: t5-variance-taken-literally | Takes the name "variance" in T5's code literally and uses var, which subtracts the mean; RMSNorm subtracts no mean and needs the mean of the squares themselves.
def rms_norm(x, gain, eps=1e-6):
    hidden_states = x
    variance = hidden_states.var(-1, keepdim=True, unbiased=False)
    hidden_states = hidden_states * torch.rsqrt(variance + eps)
    return gain * hidden_states

# %% wrong: no-root | Has the mean of the squares now but divides by it, not by its root, so the result shrinks as the features grow.
def rms_norm(x, gain, eps=1e-6):
    def size(v):
        return v.pow(2).mean(dim=-1, keepdim=True) + eps
    return torch.mul(x.div(size(x)), gain)

# %% right: llama-rsqrt
def rms_norm(x, gain, eps=1e-6):
    def _norm(x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return _norm(x) * gain

# %% right: sum-over-d
def rms_norm(x, gain, eps=1e-6):
    squares = torch.einsum("ntd,ntd->nt", x, x).unsqueeze(-1)
    rms = (squares / x.size(-1) + eps) ** 0.5
    return x / rms * gain
