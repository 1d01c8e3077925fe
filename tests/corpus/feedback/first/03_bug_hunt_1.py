# %% wrong: eps_outside_the_root | TRUE CAUSE: axis and root are mended, but eps is added after the root instead of under it
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=-1, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x

# %% wrong: mean_over_the_words_left | TRUE CAUSE: only the missing root is mended; the mean of the squares still runs over axis 1, the words, instead of the features
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=1, keepdim=True)  # (N, T, 1)
    scale = gain / torch.sqrt(mean_square + eps)  # (N, T, D)
    return scale * x

# %% wrong: mean_subtracted_like_layer_norm | TRUE CAUSE: both bugs are mended, but the mean of the features is now subtracted first as in LayerNorm, which RMSNorm does not do
def rms_norm(x, gain, eps=1e-6):
    centred = x - x.mean(dim=-1, keepdim=True)
    mean_square = (centred * centred).mean(dim=-1, keepdim=True)
    return gain * centred * torch.rsqrt(mean_square + eps)
