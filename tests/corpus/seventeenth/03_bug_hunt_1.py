# %% wrong: eps-outside | Both bugs mended, but eps is added outside the root, to the root mean square, where it belongs under the root.
def rms_norm(x, gain, eps=1e-6):
    root = torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True))
    return gain * (x / (root + eps))

# %% wrong: gemma-one-plus-gain | Scales by 1 + gain, as Gemma's code does with a gain that starts at 0. Here gain itself is the factor.
def rms_norm(x, gain, eps=1e-6):
    def _norm(x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return _norm(x) * (1.0 + gain)

# %% wrong: length-instead-of-mean | Divides by the length of the vector, the root of the sum of the squares, where it has to be the root of their mean: the result is too small by the root of D.
def rms_norm(x, gain, eps=1e-6):
    length = torch.einsum("ntd,ntd->nt", x, x).unsqueeze(-1)
    return gain * x / (length + eps).sqrt()

# %% wrong: rsqrt-divides | Takes rsqrt for the root and divides by it. rsqrt is one over the root already, so dividing by it multiplies x by its root mean square.
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.square().mean(dim=2, keepdim=True)
    scale = gain / torch.rsqrt(mean_square + eps)
    return scale * x

# %% wrong: two-root-of-each-and-all-positions | Two mistakes. Takes the root of each square before the mean, which is the mean of the absolute values; and takes it over positions and features together, where each position has its own.
def rms_norm(x, gain, eps=1e-6):
    size = (x.pow(2) + eps).sqrt()
    typical = size.mean(dim=(1, 2), keepdim=True)
    return (x / typical) * gain

# %% right: vector-norm
def rms_norm(x, gain, eps=1e-6):
    d_model = x.shape[-1]
    mean_square = torch.linalg.vector_norm(x, dim=-1, keepdim=True).square() / d_model
    return x / torch.sqrt(mean_square + eps) * gain

# %% right: llama-way
def rms_norm(x, gain, eps=1e-6):
    def _norm(hidden):
        return hidden * torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + eps)
    return gain * _norm(x)
