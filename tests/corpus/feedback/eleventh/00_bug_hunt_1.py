# %% wrong: count_of_the_whole_batch | TRUE CAUSE: the swap is mended, but count = real.sum() is the number of words of the whole batch instead of the number of words of each sentence, so every mean is too small when there is more than one sentence
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count

# %% wrong: contiguous_view | TRUE CAUSE: the count is mended, but the first bug is only rewritten: contiguous().view(N, T, D) breaks the lines of the time-first tensor anew and does not swap time and sentence, so words of different sentences are mixed up
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.contiguous().view(*real.shape, -1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)  # (N, 1)
    return total / count

# %% wrong: own_zero_the_padding | TRUE CAUSE: x.transpose(0, 1) is a view of the caller's x, and words[~real] = 0 writes into it, so the returned means are right but the padding of the argument x is overwritten with 0 in place (and a leaf that requires a gradient raises)
def sentence_means(x, real):
    words = x.transpose(0, 1)
    words[~real] = 0
    lengths = real.sum(dim=1).unsqueeze(1)
    return words.sum(dim=1) / lengths

# %% wrong: own_share_of_each_word | TRUE CAUSE: the shares are normalized with share.sum(dim=0), over the sentences of the batch at each place, instead of over the words of each sentence (dim=1, keepdim=True), so the shares of a sentence do not sum to 1
def sentence_means(x, real):
    share = real.to(x.dtype)
    share = share / share.sum(dim=0).clamp(min=1)
    return torch.einsum("nt,tnd->nd", share, x)
