# %% wrong: count-of-the-batch | Divides by the number of words in the whole batch: real.sum() without an axis is one number for all sentences, where each sentence needs its own count, real.sum(dim=1, keepdim=True).
def sentence_means(x, real):
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count

# %% wrong: reshape-as-swap | Only the count is mended: x is still reshaped from (T, N, D) to (N, T, D). reshape keeps the order of the numbers and swaps no axes, so the words of different sentences are mixed; transpose(0, 1) is needed.
def sentence_means(x, real):
    batch, length = real.shape
    mask = real.unsqueeze(-1).to(x.dtype)  # (N, T, 1)
    words = x.contiguous().view(batch, length, -1)  # (N, T, D)
    return (words * mask).sum(dim=1) / mask.sum(dim=1)

# %% wrong: mask-inverted | Takes True in the mask for padding, as in torch's key_padding_mask, so it averages the vectors of the padding and leaves the words out; here True stands where there is a word.
def sentence_means(x, real):
    weights = (~real).to(x.dtype)  # (N, T)
    summed = torch.einsum("tnd,nt->nd", x, weights)
    counts = weights.sum(dim=1, keepdim=True).clamp(min=1)
    return summed / counts

# %% wrong: running-mean | Keeps a running mean whose step size is 1 / (t + 1), the position, as if all words stood before all padding; where padding comes first or between, it has to be the number of words seen so far. The mask alone says where the words are.
def sentence_means(x, real):
    mean = torch.zeros_like(x[0])  # (N, D)
    for t, vectors in enumerate(x):
        here = real[:, t].unsqueeze(-1)  # (N, 1)
        moved = mean + (vectors - mean) / (t + 1)
        mean = torch.where(here, moved, mean)
    return mean

# %% wrong: count-of-nonzeros | Counts the entries that are not 0, feature by feature, instead of counting the words with the mask: a feature of a real word that happens to be 0 is then not counted (and a feature that is 0 in all words gives 0 / 0).
def sentence_means(x, real):
    words = x.permute(1, 0, 2)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = (kept != 0).sum(dim=1)
    return total / count

# %% right: stays-time-first
def sentence_means(x, real):
    here = real.t().unsqueeze(-1)  # (T, N, 1)
    total = torch.where(here, x, 0.0).sum(dim=0)  # (N, D)
    return total / here.sum(dim=0)
