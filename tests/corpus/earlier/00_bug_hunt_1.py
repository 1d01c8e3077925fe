# %% wrong: counts_the_padding | The mask is inverted in the count as well, so each total is divided by the number of padded places instead of the number of words (infinite for a sentence without padding).
def sentence_means(x, real):
    hidden = ~real.unsqueeze(-1)  # (N, T, 1)
    words = x.permute(1, 0, 2)  # (N, T, D)
    kept = words.masked_fill(hidden, 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = hidden.sum(dim=1)  # (N, 1)
    return total / count
