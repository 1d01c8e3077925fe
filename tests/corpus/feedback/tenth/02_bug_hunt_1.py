# %% wrong: absolute_too_late | TRUE CAUSE: abs is taken of the weighted sum of the signed steps and not of the steps themselves, so looking left and looking right cancel within a query and the distance comes out too small.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = (weights * steps).sum(dim=-1).abs()  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()

# %% wrong: mean_counts_padding | TRUE CAUSE: the double division is mended by dropping the division by real.sum() and keeping the mean, which divides by all N * T places, padding included, so the distance is too small where there is padding.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)

# %% wrong: own_sentence_by_sentence | TRUE CAUSE: it averages within each sentence first and then takes the plain mean over the sentences, so a word of a short sentence counts more than one of a long sentence, in place of one average over all words.
def looking_distance(weights, real):
    T = weights.shape[-1]
    far = torch.arange(T)
    far = (far.view(-1, 1) - far.view(1, -1)).abs()
    sentences = []
    for w, words in zip(weights, real):  # (H, T, T) and (T,)
        by_query = (w * far).sum(-1)[:, words]  # (H, words)
        sentences.append(by_query.mean(dim=1))
    return torch.stack(sentences).mean(dim=0)

# %% wrong: own_picked_queries | TRUE CAUSE: the position of a picked query is taken to be its number in the list of all picked queries (torch.arange of its length) and not its place in its own sentence, so the distances are wrong for all sentences but the first.
def looking_distance(weights, real):
    rows = weights.transpose(1, 2)[real]  # (words, H, T)
    query_at = torch.arange(rows.size(0))
    key_at = torch.arange(rows.size(-1))
    far = (query_at[:, None] - key_at[None, :]).abs()  # (words, T)
    return torch.einsum("wht,wt->h", rows, far.to(rows.dtype)) / rows.size(0)
