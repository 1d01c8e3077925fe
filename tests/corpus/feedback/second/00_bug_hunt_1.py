# %% wrong: count_left | TRUE CAUSE: only the reshape was mended to a transpose; the sum is still divided by T, padding included, instead of the number of real words
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.size(1)  # (N, 1)
    return total / count


# %% wrong: view_for_reshape | TRUE CAUSE: only the count was mended; the time-first axes are still not swapped, view in place of reshape breaks the lines just as wrongly
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.contiguous().view(real.size(0), real.size(1), x.size(-1))  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)  # (N, 1)
    return total / count


# %% wrong: mask_turned_round | TRUE CAUSE: both bugs are mended, but the right ~ was taken away, so the real words are zeroed and the padding is summed
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out."""
    swapped = x.permute(1, 0, 2)
    kept = swapped.masked_fill(real[..., None], 0.0)
    how_many = real.sum(1, keepdim=True)
    return kept.sum(1) / how_many


# %% wrong: count_without_keepdim | TRUE CAUSE: the count is summed without keepdim, so (N,) does not line up with (N, D): a crash, or where N equals D each feature is divided by another sentence's count
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1)
    return total / count
