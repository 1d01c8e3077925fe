# %% wrong: only-abs | The steps are made absolute, but the second bug is left: the mean over sentences and queries already divides by N * T, and the result is divided by the number of words once more; it has to be a sum.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = (positions[:, None] - positions[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1)
    by_query = by_query * real[:, None, :]
    total = by_query.mean(dim=(0, 2))
    return total / real.sum()

# %% wrong: abs-after-averaging | The absolute value is taken after the weighted sum over the keys, not of the steps: looks to the left and to the right still cancel for each query.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = positions[:, None] - positions[None, :]
    by_query = (weights * steps).sum(dim=-1).abs()
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))
    return total / real.sum()

# %% wrong: mean-over-padding-too | The double division is mended by dropping `/ real.sum()` and keeping the mean: now it divides by all N * T queries, padding included, although padding is to be left out. With padding the distances come out too small.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = (positions[:, None] - positions[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))

# %% wrong: mean-of-sentence-means | Each sentence is averaged over its own words first, and then the sentences are averaged: a word of a short sentence counts more than one of a long sentence, while the average is to be over all words.
def looking_distance(weights, real):
    place = torch.arange(weights.size(-1), device=weights.device, dtype=weights.dtype)
    distance = torch.cdist(place[:, None], place[:, None], p=1)
    words = real.to(weights.dtype)
    per_sentence = torch.einsum("nhqk,qk,nq->nh", weights, distance, words)
    return (per_sentence / words.sum(dim=1, keepdim=True)).mean(dim=0)

# %% wrong: keys-left-out-not-queries | `real` is laid over the keys (last axis) instead of over the queries: queries that are padding still count in the sum, while the division is by the number of words.
def looking_distance(weights, real):
    length = weights.size(-1)
    visible = weights * real[:, None, None, :]
    total = weights.new_zeros(weights.size(1))
    for query in range(length):
        for key in range(length):
            total = total + abs(query - key) * visible[:, :, query, key].sum(dim=0)
    return total / real.sum()

# %% right: rows-of-real-words
def looking_distance(weights, real):
    size = weights.size(-1)
    row = torch.arange(size, device=weights.device)
    apart = torch.abs(row.view(-1, 1) - row.view(1, -1)).to(weights.dtype)
    looked = torch.einsum("nhqk,qk->nqh", weights, apart)
    return looked[real].mean(dim=0)
