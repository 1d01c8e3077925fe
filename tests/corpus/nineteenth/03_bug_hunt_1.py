# %% wrong: root-still-missing | Only the order of mean and square is mended: it still divides by the mean of the squares, where it has to divide by its root.
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square + eps)  # (N, T, D)
    return scale * x

# %% wrong: mean-before-square | Only the root is mended: it still squares the mean of the features, where it has to take the mean of their squares, so it divides by the absolute value of the mean (nearly 0 where positive and negative features cancel).
def rms_norm(x, gain, eps=1e-6):
    average = x.mean(dim=-1, keepdim=True)
    return x * torch.rsqrt(average.pow(2) + eps) * gain

# %% wrong: standard-deviation | Takes the root mean square for the standard deviation: the variance subtracts the mean before it squares, but in RMSNorm no mean is subtracted anywhere, so (1, 1, 5, 5) is divided by 2, not by 3.6.
def rms_norm(x, gain, eps=1e-6):
    variance = x.var(dim=-1, keepdim=True, unbiased=False)
    x = x * torch.rsqrt(variance + eps)
    return gain * x

# %% wrong: length-for-rms | Divides by the length of the vector, the root of the sum of the squares, where it has to be the root of their mean; the result is smaller by the root of D.
def rms_norm(x, gain, eps=1e-6):
    total = torch.einsum("ntd,ntd->nt", x, x)
    length = (total + eps).sqrt().unsqueeze(-1)
    return x / length * gain

# %% wrong: eps-outside-one-position-axis | Two mistakes. The mean of the squares is taken over all features of all words of a sentence (axes 1 and 2), where each position has one of its own over axis 2 alone; and eps is added to the root, where it belongs under the root.
def rms_norm(x, gain, eps=1e-6):
    rms = x.pow(2).mean(dim=(1, 2), keepdim=True).sqrt()
    return gain * (x / (rms + eps))

# %% right: llama-rsqrt
def rms_norm(x, gain, eps=1e-6):
    def norm(vectors):
        return vectors * torch.rsqrt(vectors.pow(2).mean(-1, keepdim=True) + eps)
    return norm(x) * gain
