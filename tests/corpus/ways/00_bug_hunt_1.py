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
