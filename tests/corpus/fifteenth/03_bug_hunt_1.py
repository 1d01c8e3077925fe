# %% wrong: root-only | Only the missing root is found: the mean is still taken before the square, so x is divided by the absolute value of its mean and not by the root of the mean of the squares.
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.mean(dim=2, keepdim=True).square()
    scale = gain / (mean_square + eps).sqrt()
    return scale * x

# %% wrong: eps-outside-the-root | Both bugs are mended, but eps is moved out of the root and added to the root mean square; it is to be under the root (which shows for small x or a larger eps).
def rms_norm(x, gain, eps=1e-6):
    rms = x.square().mean(dim=2, keepdim=True).sqrt()
    scale = gain / (rms + eps)
    return scale * x

# %% wrong: divided-by-the-deviation | The mean of the squares is replaced by the variance, which subtracts the mean first: that is the deviation of LayerNorm, while RMSNorm subtracts no mean.
def rms_norm(x, gain, eps=1e-6):
    variance = torch.var(x, dim=-1, keepdim=True, unbiased=False)
    x = x * torch.rsqrt(variance + eps)
    return gain * x

# %% wrong: normalize-without-root-of-d | F.normalize divides by the root of the sum of the squares, not of their mean, so the result is too small by the root of D (x-transformers multiplies by that root afterwards; this is left out here).
def rms_norm(x, gain, eps=1e-6):
    return F.normalize(x, dim=-1, eps=eps) * gain

# %% wrong: one-plus-gain | As in Gemma the features are scaled by 1 + gain, which is meant for a gain that starts at 0; here they are to be scaled by gain itself.
def rms_norm(x, gain, eps=1e-6):
    def _norm(x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    output = _norm(x)
    return output * (1.0 + gain)

# %% wrong: over-the-words-and-no-eps | Two mistakes. The mean of the squares runs over axis 1, the words, instead of the features, so positions depend on one another; and eps is left out, so an x of zeros becomes nan.
def rms_norm(x, gain, eps=1e-6):
    squares = x * x
    root_mean_square = torch.sqrt(squares.mean(dim=1, keepdim=True))
    return x / root_mean_square * gain

# %% right: llama-line
def rms_norm(x, gain, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain

# %% right: einsum-of-squares
def rms_norm(x, gain, eps=1e-6):
    mean_square = torch.einsum("ntd,ntd->nt", x, x) / x.size(-1)
    root = torch.sqrt(mean_square + eps)
    return gain * (x / root.unsqueeze(-1))
