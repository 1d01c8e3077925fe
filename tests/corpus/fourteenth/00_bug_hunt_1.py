# %% wrong: counts_words_of_whole_batch | The axes are swapped properly, but count = real.sum() is the number of words in the whole batch, one number for all, instead of each sentence's own number of words.
def sentence_means(x, real):
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count
# %% wrong: view_in_place_of_reshape | The count is repaired, but the first line only trades reshape for view: both keep the order of the numbers, so time and sentences are still not swapped (transpose is needed).
def sentence_means(x, real):
    n, t = real.shape
    words = x.contiguous().view(n, t, x.size(-1))  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)  # (N, 1)
    return total / count
# %% wrong: own_counts_nonzero_numbers | The words are counted as the numbers that are not 0 after hiding, feature by feature, instead of by the mask: a real word with a feature of exactly 0 is not counted there, so that mean is too large.
def sentence_means(x, real):
    kept = torch.where(real.t().unsqueeze(-1), x, 0.0)  # (T, N, D)
    how_many = kept.ne(0).sum(dim=0)  # (N, D)
    return kept.sum(dim=0) / how_many.clamp(min=1)
# %% wrong: own_hides_in_the_callers_tensor | transpose returns a view of the caller's x, and masked_fill_ (with an underscore) writes the zeros into it: the caller's tensor is changed in place, and a leaf that needs gradients raises an error.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    words.masked_fill_(real.logical_not()[:, :, None], 0.0)
    lengths = real.sum(dim=1)[:, None]
    return words.sum(dim=1).div(lengths)
