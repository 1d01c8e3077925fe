# %% wrong: transposed-only | Only the first bug is mended: count is still real.size(1), the length with padding, so the means of shorter sentences are too small.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.size(1)
    return total / count

# %% wrong: contiguous-view-for-reshape | The student thinks that reshape was wrong because of contiguity and writes contiguous().view; that keeps the order of memory just as well and still does not swap time and batch, so words of different sentences are mixed.
def sentence_means(x, real):
    words = x.contiguous().view(real.size(0), real.size(1), -1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: count-without-keepdim | The counts have the shape (N,) since keepdim is missing, so dividing (N, D) by them broadcasts along the features: an error, or, if N equals D, feature j is divided by the length of sentence j.
def sentence_means(x, real):
    words = x.permute(1, 0, 2)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.sum(dim=1)
    return total / count

# %% wrong: words-of-whole-batch | real.sum() without a dim counts the words of all sentences of the batch together, and every sentence is divided by that one number instead of by its own count.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.sum()
    return total / count

# %% wrong: mask-mended-too | Both bugs are mended, but the ~ that was right is removed as well: masked_fill fills where its mask is True, so now the real words become 0 and the padding is summed.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    kept = words.masked_fill(real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: zeros-written-into-the-input | transpose returns a view on the same memory, so assigning 0 to the padding of it changes the caller's x in place (and fails if x is a leaf that needs a gradient).
def sentence_means(x, real):
    words = x.transpose(0, 1)
    words[~real] = 0.0
    lengths = real.sum(dim=1).unsqueeze(1)
    return words.sum(dim=1) / lengths

# %% right: time-first-all-along
def sentence_means(x, real):
    seen = real.t().unsqueeze(-1)
    total = torch.where(seen, x, torch.zeros_like(x)).sum(dim=0)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% right: sentence-by-sentence
def sentence_means(x, real):
    means = []
    for n in range(real.size(0)):
        words = x[:, n][real[n]]
        means.append(words.mean(dim=0))
    return torch.stack(means)
