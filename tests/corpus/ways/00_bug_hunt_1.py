# %% right: stays_time_first
def sentence_means(x, real):
    there = real.T.unsqueeze(-1)  # (T, N, 1)
    total = x.masked_fill(~there, 0.0).sum(dim=0)  # (N, D)
    return total / there.sum(dim=0)


# %% right: loop_over_sentences
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out."""
    means = [x[real[n], n].mean(dim=0) for n in range(real.size(0))]
    return torch.stack(means)


# %% right: own_pick_the_words_of_each_sentence
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    means = []
    for n in range(x.size(1)):
        sentence = x[:, n, :]  # (T, D)
        means.append(sentence[real[n]].mean(dim=0))
    return torch.stack(means)

# %% right: own_stay_time_first
def sentence_means(x, real):
    seen = real.T[:, :, None]  # (T, N, 1)
    total = torch.where(seen, x, torch.zeros_like(x)).sum(0)
    return total / seen.sum(0)


# %% right: tenth_own_pick_words
def sentence_means(x, real):
    means = [x[:, n][real[n]].mean(dim=0) for n in range(x.size(1))]
    return torch.stack(means)

# %% right: tenth_own_time_first
def sentence_means(x, real):
    seen = real.T[:, :, None]  # (T, N, 1)
    kept = torch.where(seen, x, torch.zeros_like(x))
    return kept.sum(0) / seen.sum(0)


# %% right: eleventh_own_one_sentence_after_another
def sentence_means(x, real):
    means = []
    for n in range(real.size(0)):
        vectors = x[:, n]
        means.append(vectors[real[n]].mean(dim=0))
    return torch.stack(means)

# %% right: eleventh_own_time_stays_first
def sentence_means(x, real):
    seen = real.t().unsqueeze(-1)
    total = torch.where(seen, x, torch.zeros_like(x)).sum(dim=0)
    return total / seen.sum(dim=0)


# %% right: twelfth_own_one_sentence_at_a_time
def sentence_means(x, real):
    return torch.stack([x[real[n], n].mean(dim=0) for n in range(real.size(0))])
# %% right: twelfth_own_where_time_first
def sentence_means(x, real):
    mask = real.t()[:, :, None]  # (T, N, 1)
    summed = torch.where(mask, x, torch.zeros_like(x)).sum(dim=0)
    return summed / mask.sum(dim=0)
