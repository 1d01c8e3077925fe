# %% wrong: count_of_the_whole_batch | TRUE CAUSE: real.sum() without a dim counts the words of all sentences together, so each sentence is divided by the batch's number of words
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count


# %% wrong: count_without_keepdim | TRUE CAUSE: the count is right but has the shape (N,): without keepdim it lines up with the features of the (N, D) total, not with the sentences
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1)
    return total / count


# %% wrong: contiguous_view_still_no_swap | TRUE CAUSE: the count is repaired, but reshape is replaced by contiguous().view, which keeps the order as well: the axes time and batch are still not swapped
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.contiguous().view(real.size(0), real.size(1), -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)
    return total / count
