# %% wrong: words_of_the_whole_batch | TRUE CAUSE: the transpose is right, but the count is the number of words in the whole batch (sum without dim), not of each sentence
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count


# %% wrong: keepdim_on_the_total_too | TRUE CAUSE: keepdim=True is also given to the sum of the vectors, so (N, 1, D) / (N, 1) broadcasts to (N, N, D): each total is divided by every sentence's count
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1, keepdim=True)
    count = real.sum(dim=1, keepdim=True)
    return total / count


# %% wrong: still_divides_by_the_length | TRUE CAUSE: the axes are right (the mask is turned time first instead of x), but the count is still the padded length T, so padding is counted in the mean
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out."""
    padding = ~real.transpose(0, 1)  # (T, N), time first like x
    kept = x.masked_fill(padding[:, :, None], 0.0)  # (T, N, D)
    return kept.mean(dim=0)  # over time: (N, D)
