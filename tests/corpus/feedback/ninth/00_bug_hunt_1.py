# %% wrong: swaps_the_wrong_pair_of_axes | TRUE CAUSE: the first bug is mended wrongly: words swaps axes 1 and 2 (sentence and feature) and still reshapes to (N, T, D), instead of swapping axes 0 and 1, so the vectors of different sentences and words are mixed up.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(1, 2).reshape(*real.shape, -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: average_length_of_the_batch | TRUE CAUSE: the count is the number of words in the whole batch divided by the number of sentences, one average length for all, instead of each sentence's own number of words, so sentences of unequal length are divided by the wrong number.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum() / real.size(0)
    return total / count

# %% wrong: own_shares_over_the_sentences | TRUE CAUSE: the shares are normalized over dim=0 of real, which is (N, T), so each place of a word is shared out among the sentences instead of each sentence among its words; the sums are not means (and nan where no sentence has a word).
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    share = real.to(x.dtype)
    share = share / share.sum(dim=0, keepdim=True)
    return torch.einsum("nt,tnd->nd", share, x)

# %% wrong: own_adds_up_inside_x | TRUE CAUSE: `total = x[0]` is a view of the input and not a copy, so `total *= ...` and `total += ...` write the running sum into the first word of the caller's x (and raise for an x that is a leaf with gradients).
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    is_word = real.t().unsqueeze(-1)  # (T, N, 1)
    total = x[0]
    total *= is_word[0]
    for t in range(1, x.size(0)):
        total += x[t] * is_word[t]
    return total / is_word.sum(dim=0)
