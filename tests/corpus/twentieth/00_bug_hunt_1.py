# %% wrong: reshape-left | Repairs the count but leaves the reshape, since its shape is right: from time first, (T, N, D), reshape only breaks the lines elsewhere and mixes words of different sentences; transpose(0, 1) is needed.
def sentence_means(x, real):
    words = x.reshape(*real.shape, -1)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)
    total = kept.sum(dim=1)
    count = real.sum(dim=1, keepdim=True)
    return total / count

# %% wrong: one-count-for-all | Divides by the number of real words of the whole batch: real.sum() without dim=1, keepdim=True adds over the sentences, too, so each mean is too small when there is more than one sentence.
def sentence_means(x, real):
    hidden = torch.logical_not(real).T[..., None]
    totals = torch.where(hidden, torch.zeros_like(x), x).sum(dim=0)
    return totals / real.sum()

# %% wrong: first-words-of-each | Takes the first `length` positions of each sentence for its words, as for packed sequences: that holds only if padding stands behind, but the text says that it may stand in front.
def sentence_means(x, real):
    lengths = real.sum(dim=1).tolist()
    means = []
    for place, length in enumerate(lengths):
        means.append(x[:length, place].mean(dim=0))
    return torch.stack(means)

# %% wrong: mean-pooling-mask-reshaped | Leaves x time first and brings the mask from (N, T) to (T, N, 1) with reshape instead of a transpose: the shape fits, but the True and False belong to other words, so padding is counted and real words are left out.
def sentence_means(x, real):
    input_mask_expanded = real.reshape(x.size(0), x.size(1), 1)
    sum_embeddings = x.masked_fill(~input_mask_expanded, 0.0).sum(0)
    sum_mask = torch.clamp(input_mask_expanded.sum(0), min=1)
    return sum_embeddings / sum_mask

# %% wrong: counts-nonzeros | Counts the numbers that are not 0 after hiding instead of the real words: a real word may have a feature that is exactly 0, and then that feature is divided by too small a count (or by 0).
def sentence_means(x, real):
    words = x.permute(1, 0, 2)
    kept = words * real.unsqueeze(-1)
    count = kept.count_nonzero(dim=1)
    return kept.sum(dim=1) / count

# %% right: einsum-of-shares
def sentence_means(x, real):
    kept = x.masked_fill(~real.t().unsqueeze(-1), 0.0)
    weights = real.to(x.dtype)
    weights = weights / weights.sum(dim=1, keepdim=True)
    return torch.einsum("tnd,nt->nd", kept, weights)

# %% right: row-by-row
def sentence_means(x, real):
    sentences = x.unbind(dim=1)
    return torch.stack([words[known].mean(dim=0) for words, known in zip(sentences, real)])
