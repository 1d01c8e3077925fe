# %% wrong: only_the_order_repaired | TRUE CAUSE: only the first bug is repaired (transpose in place of reshape); the sum is still divided by the full length, padding included.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.size(1)
    return total / count

# %% wrong: only_the_count_repaired | TRUE CAUSE: only the count is repaired; reshape still stands where the axes T and N have to be swapped, so words of different sentences are mixed.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.reshape(*real.shape, -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: count_without_keepdim | TRUE CAUSE: the count is (N,) because keepdim=True is missing, so it lines up with the features of total, (N, D), and not with the sentences.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1)
    return total / count

# %% wrong: mask_inverted | TRUE CAUSE: the ~ was taken for a bug and removed, so the real words are set to 0 and the padding is summed.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out."""
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(real.unsqueeze(-1), 0.0)  # (N, T, D)
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)  # (N, 1)
    return total / count

# %% wrong: counts_entries_that_are_not_zero | TRUE CAUSE: the words are counted as the entries of kept that are not 0, so a real word with a feature of 0 is not counted for that feature.
def sentence_means(x, real):
    kept = x.permute(1, 0, 2) * real[:, :, None]
    count = (kept != 0).sum(dim=1)
    return kept.sum(dim=1) / count

# %% wrong: padding_zeroed_in_place | TRUE CAUSE: the padding is set to 0 in place through the transposed view, so the caller's x is changed.
def sentence_means(x, real):
    words = x.transpose(0, 1)
    words[~real] = 0.0
    return words.sum(dim=1) / real.sum(dim=1, keepdim=True)

# %% wrong: two_reshape_and_count_of_the_batch | TRUE CAUSE: two mistakes: reshape still stands where the axes have to be swapped, and each sentence is divided by the number of real words of the whole batch.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.reshape(*real.shape, -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count
