# %% right: own_stay_time_first
def sentence_means(x, real):
    seen = real.T[:, :, None]  # (T, N, 1)
    total = torch.where(seen, x, torch.zeros_like(x)).sum(0)
    return total / seen.sum(0)
# %% right: own_pick_the_words_of_each_sentence
def sentence_means(x, real):
    means = []
    for n in range(x.size(1)):
        sentence = x[:, n, :]  # (T, D)
        means.append(sentence[real[n]].mean(dim=0))
    return torch.stack(means)
