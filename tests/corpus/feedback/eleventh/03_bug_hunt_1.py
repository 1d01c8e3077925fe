# %% wrong: gain_under_the_root | TRUE CAUSE: the missing root is put around the whole quotient, so the gain is under the root as well: the result is scaled by the root of the gain, and is nan for negative gains
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = (gain / (mean_square + eps)).sqrt()  # (N, T, D)
    return scale * x
# %% wrong: eps_outside_the_root | TRUE CAUSE: the root is taken in the first line, before eps is added, so eps is added to the root mean square instead of standing under the root, which shows with a larger eps or small x
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    root_mean_square = x.square().mean(dim=2, keepdim=True).sqrt()  # (N, T, 1)
    scale = gain / (root_mean_square + eps)  # (N, T, D)
    return scale * x
# %% wrong: own_length_over_d | TRUE CAUSE: the length of the vector is divided by D instead of by the root of D, so what should be the root mean square is too small by the factor sqrt(D) and the result too large by it
def rms_norm(x, gain, eps=1e-6):
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    rms = length / x.shape[-1]
    return gain * x / torch.sqrt(rms**2 + eps)
# %% wrong: own_one_plus_gain | TRUE CAUSE: the normalized features are scaled by 1 + gain, as in models that store the gain as a difference from 1, instead of by the gain itself
def rms_norm(x, gain, eps=1e-6):
    def normed(v):
        return v * torch.rsqrt((v * v).mean(-1, keepdim=True) + eps)

    return normed(x) * (1.0 + gain)
