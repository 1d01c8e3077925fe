# %% wrong: abs-only | Only the missing abs is found. The mean over sentences and positions is still divided by the number of words as well, so it is divided twice and comes out far too small; the total has to be a sum.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1)
    by_query = by_query * real[:, None, :]
    total = by_query.mean(dim=(0, 2))
    return total / real.sum()

# %% wrong: abs-too-late | The absolute value is taken of the weighted average and not of each step: a word that looks as far ahead as back comes out at 0, since the steps cancel before.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1))
    steps = positions[:, None] - positions[None, :]
    by_query = (weights * steps).sum(dim=-1).abs()
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))
    return total / real.sum()

# %% wrong: mean-with-padding | The double division is mended by removing the division by the number of words: the mean over (0, 2) divides by N * T and so counts the padding, as zeros.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))

# %% wrong: mean-of-sentence-means | Each sentence is averaged by itself and then the sentences are averaged: a word of a short sentence counts more than one of a long sentence, where the average is to be over all words alike.
def looking_distance(weights, real):
    length = weights.size(-1)
    distance = torch.tensor([[abs(i - j) for j in range(length)] for i in range(length)])
    by_query = torch.einsum("nhij,ij->nhi", weights, distance.to(weights.dtype))
    by_query = by_query.masked_fill(~real[:, None, :], 0.0)
    by_sentence = by_query.sum(dim=2) / real.sum(dim=1, keepdim=True)
    return by_sentence.mean(dim=0)

# %% wrong: keys-masked-and-all-positions-counted | Two mistakes. real is laid along the keys, so the queries that are padding are still counted; and the sum is divided by real.numel(), all positions, instead of the number of words.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = (positions[:, None] - positions[None, :]).abs()
    seen = weights * real[:, None, None, :]
    total = (seen * steps).sum(dim=(0, 2, 3))
    return total / real.numel()

# %% right: abs-and-sum
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = torch.abs(positions[:, None] - positions[None, :])
    by_query = torch.sum(weights * steps, dim=-1)
    by_query = by_query.masked_fill(~real.unsqueeze(1), 0.0)
    return by_query.sum(dim=2).sum(dim=0) / real.sum()

# %% right: pick-the-words-first
def looking_distance(weights, real):
    length = weights.size(-1)
    place = torch.arange(length).to(weights)
    away = (place.view(-1, 1) - place).abs()
    far = torch.einsum("nhqk,qk->nqh", weights, away)
    return far[real].mean(dim=0)
