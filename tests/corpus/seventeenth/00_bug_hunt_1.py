# %% wrong: reshape-left | Mends the count only. x is (T, N, D), and reshape to (N, T, D) does not swap time and batch but only breaks the lines elsewhere, so words of other sentences get into a mean.
def sentence_means(x, real):
    words = x.reshape(*real.shape, -1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: count-of-all-sentences | Counts the real words of the whole batch with sum() without a dim, one number for all, where each sentence has to be divided by its own number of words.
def sentence_means(x, real):
    visible = real.unsqueeze(-1)
    by_sentence = x.permute(1, 0, 2)
    total = torch.where(visible, by_sentence, torch.zeros_like(by_sentence)).sum(dim=1)
    return total / real.sum()

# %% wrong: reshape-moved-to-mask | Keeps x time first but brings the mask (N, T) to (T, N) by reshape instead of a transpose, the same bug in another place: the mask's entries belong to other words then.
def sentence_means(x, real):
    mask = real.reshape(x.size(0), x.size(1)).unsqueeze(-1)
    total = x.masked_fill(~mask, 0.0).sum(dim=0)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: count-of-nonzeros | Counts the words by the numbers that are not 0 after masking. A real word's feature may be 0 as well, and then it is not counted (or 0 / 0 gives nan); the count has to come from the mask.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    count = (kept != 0).sum(dim=1)
    return kept.sum(dim=1) / count

# %% wrong: two-size-of-batch | Two mistakes. The reshape that should be a transpose is still there, and the count becomes real.size(0), the number of sentences, where the number of real words of each sentence is needed.
def sentence_means(x, real):
    words = x.reshape(*real.shape, -1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.size(0)
    return total / count

# %% right: one-sentence-at-a-time
def sentence_means(x, real):
    means = []
    for row, words in enumerate(real):
        means.append(x[words, row].mean(dim=0))
    return torch.stack(means)

# %% right: time-first-throughout
def sentence_means(x, real):
    there = real.transpose(0, 1).unsqueeze(-1)
    total = torch.where(there, x, torch.zeros_like(x)).sum(dim=0)
    return total / there.sum(dim=0)
