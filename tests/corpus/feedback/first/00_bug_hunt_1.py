# %% wrong: reshape_left_in | TRUE CAUSE: only the count is mended; words is still a reshape instead of a swap of the time and batch axes, so words of different sentences are mixed
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.reshape(*real.shape, -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)  # (N, 1)
    return total / count

# %% wrong: count_without_keepdim | TRUE CAUSE: the count is summed without keepdim, so it is (N,) instead of (N, 1) and is lined up with the features instead of with the sentences
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1)  # (N, 1)
    return total / count

# %% wrong: counts_numbers_that_are_not_zero | TRUE CAUSE: the words are counted as the places where the kept numbers are not 0 instead of from the mask, so a real word with a feature of exactly 0 is taken for padding there
def sentence_means(x, real):
    words = x.permute(1, 0, 2)
    kept = words * real[:, :, None]
    count = (kept != 0).sum(dim=1).clamp(min=1)
    return kept.sum(dim=1) / count
