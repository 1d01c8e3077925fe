# %% wrong: count_without_keepdim | TRUE CAUSE: the count of the words lost its axis, (N,), so it lines up with the features and not with the sentences (keepdim forgotten)
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out."""
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1)
    return total / count

# %% wrong: counts_the_wrong_axis_of_the_turned_mask | TRUE CAUSE: the mask is turned to (T, N) to fit x, but then counted along dim 1, which is now the sentences: the number of sentences with a word at each place, instead of the number of words of each sentence
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    visible = real.transpose(0, 1).unsqueeze(-1)  # (T, N, 1)
    kept = x.masked_fill(~visible, 0.0)
    total = kept.sum(dim=0)  # (N, D)
    count = visible.sum(dim=1)
    return total / count

# %% wrong: counts_numbers_that_are_not_zero | TRUE CAUSE: instead of the words of the mask it counts, for each feature, the numbers that are not 0: a real word whose feature happens to be 0 is not counted
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out."""
    words = x.permute(1, 0, 2)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = (kept != 0).sum(dim=1)
    return total / count

# %% wrong: contiguous_is_no_swap_and_count_of_all | TRUE CAUSE: two mistakes: contiguous().view keeps the order, so time and batch are still not swapped, and real.sum() counts the words of the whole batch, not those of each sentence
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.contiguous().view(*real.shape, -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count
