# %% wrong: only_swap_fixed | TRUE CAUSE: the time-first input is transposed now, but the second bug is left: the sum is still divided by the length with padding
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.size(1)
    return total / count


# %% wrong: only_count_fixed | TRUE CAUSE: the count is right now, but the time-first input is still brought to (N, T, D) by reshape, which swaps nothing
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.reshape(*real.shape, -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)
    return total / count


# %% wrong: count_of_whole_batch | TRUE CAUSE: the count is the number of words in the whole batch, not of each sentence: sum without dim=1
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out."""
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count


# %% wrong: count_without_keepdim | TRUE CAUSE: the count (N,) lacks its last axis, keepdim=True is forgotten, so it lines up with the features instead of the sentences (an error unless N equals D or is 1)
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1)
    return total / count


# %% wrong: mask_turned_round | TRUE CAUSE: the swap and the count are fixed, but the ~ was taken for a bug and removed, so the words become 0 and the padding is summed
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.permute(1, 0, 2)  # (N, T, D)
    kept = words.masked_fill(real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)
    return total / count


# %% wrong: fills_the_callers_tensor | TRUE CAUSE: masked_fill_ with an underscore writes into a transposed view of x, so the caller's x is changed in place (the returned numbers are right)
def sentence_means(x, real):
    words = x.transpose(0, 1)
    words.masked_fill_(~real[:, :, None], 0.0)
    return words.sum(dim=1) / real.sum(dim=1, keepdim=True)


# %% wrong: divided_twice | TRUE CAUSE: the mean over all places is taken and then divided by the number of words again; it should be the sum
def sentence_means(x, real):
    words = x.transpose(0, 1)
    kept = words * real.unsqueeze(-1)
    count = real.sum(dim=1, keepdim=True)
    return kept.mean(dim=1) / count


# %% wrong: counts_nonzero_without_swap | TRUE CAUSE: two mistakes: the reshape without a swap is left, and the count is that of the entries that are not 0, so a word whose feature happens to be 0 is not counted
def sentence_means(x, real):
    words = x.reshape(real.size(0), real.size(1), -1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = (kept != 0).sum(dim=1)
    return total / count
