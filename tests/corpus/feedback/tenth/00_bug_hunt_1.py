# %% wrong: counts_the_whole_batch | TRUE CAUSE: count is real.sum() over both axes, the number of words in the whole batch, so each sentence's total is divided by the words of all sentences in place of its own (right only with one sentence).
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count

# %% wrong: fills_in_place | TRUE CAUSE: both bugs are mended, but masked_fill_ works in place on a transposed view of x, so the caller's x gets zeros at its padding (and a leaf that requires grad raises).
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill_(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: own_einsum_share | TRUE CAUSE: share is normalised with real.sum(dim=0), the number of sentences that have a word at this place, rather than with dim=1, the number of words of the sentence, so the weights of a sentence do not sum to 1.
def sentence_means(x, real):
    share = real.to(x.dtype)
    share = share / share.sum(dim=0, keepdim=True)
    return torch.einsum("tnd,nt->nd", x, share)

# %% wrong: own_running_count | TRUE CAUSE: count is set to 0 once before the loop over sentences and never reset, so each sentence after the first is divided by the words of all sentences up to it.
def sentence_means(x, real):
    T, N, D = x.shape
    means = []
    count = 0
    for n in range(N):
        total = torch.zeros(D, dtype=x.dtype)
        for t in range(T):
            if real[n, t]:
                total = total + x[t, n]
                count += 1
        means.append(total / count)
    return torch.stack(means)
