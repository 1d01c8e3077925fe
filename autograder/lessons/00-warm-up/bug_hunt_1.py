def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word, with padding behind or
    in front. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum(dim=1, keepdim=True)
    return total / count
