# %% wrong: own_gain_before_the_norm | The gain multiplies x first, and the root mean square is taken of the product: the gain changes what is divided by, and its size cancels out again.
def rms_norm(x, gain, eps=1e-6):
    scaled = x * gain
    root = scaled.pow(2).mean(dim=-1, keepdim=True).add(eps).sqrt()
    return scaled / root
# %% wrong: mean_of_absolute_values | the root is mended, but the mean is still taken before the square, now of the absolute values, so x is divided by the mean absolute value and not by the root mean square
def rms_norm(x, gain, eps=1e-6):
    mean_square = x.abs().mean(dim=2, keepdim=True).square()  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x
# %% wrong: own_loop_writes_into_x | out = x is no copy, so the loop writes the normalized rows into the caller's x
def rms_norm(x, gain, eps=1e-6):
    out = x
    for n in range(x.shape[0]):
        for t in range(x.shape[1]):
            row = x[n, t]
            rms = ((row**2).sum() / len(row) + eps) ** 0.5
            out[n, t] = row / rms * gain
    return out
