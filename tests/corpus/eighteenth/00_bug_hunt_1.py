# %% wrong: still-reshaped | Only the count is mended. x is still brought from (T, N, D) to (N, T, D) by a view, which keeps the order in memory and does not swap the axes, so words of different sentences are mixed; x.transpose(0, 1) is needed.
def sentence_means(x, real):
    batch, length = real.shape
    words = x.contiguous().view(batch, length, x.size(-1))
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: mean-of-padded | The axes are right, but after the padding has been set to 0 the plain mean over the time axis is taken, which divides by T, the padded length, and not by the number of real words of each sentence.
def sentence_means(x, real):
    visible = real.t().unsqueeze(-1)
    kept = torch.where(visible, x, torch.zeros_like(x))
    return kept.mean(dim=0)

# %% wrong: count-nonzero | The number of words is read off the numbers, as the count of entries that are not 0 after masking, and not off `real`: a real word's feature that is 0 is not counted (as after a ReLU), so its mean comes out too large, or nan where a feature is 0 everywhere.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    count = (kept != 0).sum(dim=1)
    return kept.sum(dim=1) / count

# %% wrong: zeroes-the-input | transpose returns a view of x, and the padding is set to 0 in it in place, so the caller's x is overwritten (and a leaf that needs gradients raises an error); a part changes nothing in place. The means themselves are right.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    words[~real] = 0.0
    lengths = real.sum(dim=1)
    return words.sum(dim=1) / lengths.unsqueeze(-1)

# %% wrong: one-count-for-all | Two mistakes. The axes of the time-first x are swapped by a reshape instead of a transpose, so sentences are mixed; and the sum of each sentence is divided by the average number of words per sentence of the whole batch (real.sum() / N) instead of by its own number of words.
def sentence_means(x, real):
    mask = real.unsqueeze(-1).to(x.dtype)
    hidden = x.reshape(mask.size(0), mask.size(1), -1)
    summed = torch.sum(hidden * mask, dim=1)
    count = mask.sum() / mask.size(0)
    return summed / torch.clamp(count, min=1e-9)

# %% right: sentence-by-sentence
def sentence_means(x, real):
    sentences = x.unbind(dim=1)
    means = [words[seen].mean(dim=0) for words, seen in zip(sentences, real, strict=True)]
    return torch.stack(means)
