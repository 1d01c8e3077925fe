# %% wrong: eps_outside_the_root | TRUE CAUSE: both bugs are found, but the root is taken of mean_square alone and eps is added to the root, where the text wants eps under the root; wrong when eps is not tiny beside the squares
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = gain / (mean_square.sqrt() + eps)  # (N, T, D)
    return scale * x
# %% wrong: root_of_the_gain_too | TRUE CAUSE: the missing root is taken of the whole fraction gain / (mean_square + eps), so the gain is replaced by its root (and a negative gain gives nan)
def rms_norm(x, gain, eps=1e-6):
    """Divide each position's features by their root mean square, then scale them.

    x is (N, T, D) and gain is (D,). No mean is subtracted and no shift is added.
    """
    mean_square = x.square().mean(dim=2, keepdim=True)  # (N, T, 1)
    scale = torch.sqrt(gain / (mean_square + eps))  # (N, T, D)
    return scale * x
# %% wrong: own_one_root_for_each_sentence | TRUE CAUSE: in the loop over sentences, mean() without dim averages the squares of all positions and features, so all positions of a sentence share one root mean square
def rms_norm(x, gain, eps=1e-6):
    done = []
    for sentence in x:
        rms = (sentence.pow(2).mean() + eps) ** 0.5
        done.append(gain * sentence / rms)
    return torch.stack(done)
# %% wrong: own_length_divided_by_D | TRUE CAUSE: the root mean square is computed as the vector's length divided by D instead of by the root of D, so the result is too large by a factor of the root of D
def rms_norm(x, gain, eps=1e-6):
    D = x.shape[-1]
    length = torch.einsum("ntd,ntd->nt", x, x).add(eps).sqrt()
    rms = length / D
    return x / rms.unsqueeze(-1) * gain
