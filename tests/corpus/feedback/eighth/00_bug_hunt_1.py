# %% wrong: count_without_keepdim | TRUE CAUSE: the real words are counted per sentence, but without keepdim=True; the count (N,) lines up with the features of total (N, D), not with its sentences (crash, or where N equals D or N is 1 a division along the wrong axis).
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1)
    return total / count


# %% wrong: counts_nonzero_entries | TRUE CAUSE: the words are counted by looking for entries that are not 0 after masking, instead of by the mask; a real word whose feature happens to be 0 is then not counted for that feature, and the mean comes out too large (or nan).
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = (kept != 0).sum(dim=1)  # only what is not padding
    return total / count


# %% wrong: reshape_stays_and_batch_count | TRUE CAUSE: two mistakes: time and batch are still exchanged by a reshape, which swaps nothing, so words of different sentences are mixed; and the count is the number of real words in the whole batch instead of in each sentence.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    length, batch, features = x.shape
    words = x.contiguous().reshape(batch, length, features)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count
