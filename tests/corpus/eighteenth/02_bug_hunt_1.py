# %% wrong: mean-stays | Only the sign was mended. `mean` over sentences and positions already divides by N * T, and the result is divided once more by real.sum(): it has to be a sum over axes 0 and 2, so the distances come out N * T times too small.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = (positions[:, None] - positions[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1)
    by_query = by_query * real[:, None, :]
    total = by_query.mean(dim=(0, 2))
    return total / real.sum()

# %% wrong: signed-einsum | The sum was mended, but the steps keep their sign: a word two back and a word two ahead cancel to 0, so it is a mean displacement and not a distance. The absolute value of the steps is missing.
def looking_distance(weights, real):
    length = weights.size(-1)
    place = torch.arange(length, device=weights.device, dtype=weights.dtype)
    steps = place.unsqueeze(1) - place
    words = real.to(weights.dtype)
    total = torch.einsum("nhqk,qk,nq->h", weights, steps, words)
    return total / words.sum()

# %% wrong: abs-too-late | The absolute value is taken after the weighted sum over the keys instead of before it. A query that looks one word back and one ahead with equal weights gets |-0.5 + 0.5| = 0, where its distance is 1: forward and backward still cancel within a query.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = positions[:, None] - positions[None, :]
    by_query = (weights * steps).sum(dim=-1).abs()
    by_query = by_query.masked_fill(~real[:, None, :], 0.0)
    return by_query.sum(dim=(0, 2)) / real.sum()

# %% wrong: sentence-means-averaged | Each sentence's own mean is computed and these are averaged over the batch, so a word in a short sentence counts more than one in a long sentence. The average is asked for over all words that are no padding: one sum over the whole batch, divided by the number of all real words.
def looking_distance(weights, real):
    length = weights.size(-1)
    column = torch.arange(length, device=weights.device)
    distance = (column - column.unsqueeze(1)).abs()
    of_sentences = []
    for attention, is_word in zip(weights, real):
        of_words = (attention * distance).sum(-1)[:, is_word]
        of_sentences.append(of_words.mean(dim=1))
    return torch.stack(of_sentences).mean(dim=0)

# %% wrong: keys-masked-not-queries | Two mistakes. The mask of real words is put on the keys (the last axis) instead of the queries, so rows of padding queries still count in the sum; and it is divided by N * T, the number of all positions with padding, instead of by the number of real words.
def looking_distance(weights, real):
    n, h, t, _ = weights.shape
    i = torch.arange(t, device=weights.device)
    offsets = torch.abs(i.view(t, 1) - i.view(1, t))
    kept = weights.masked_fill(~real[:, None, None, :], 0.0)
    per_head = (kept * offsets).sum(-1).transpose(0, 1).reshape(h, n * t)
    return per_head.mean(dim=1)

# %% right: boolean-index
def looking_distance(weights, real):
    where = torch.arange(weights.size(-1), device=weights.device)
    apart = (where.unsqueeze(0) - where.unsqueeze(1)).abs()
    of_queries = torch.einsum("nhqk,qk->nqh", weights, apart.to(weights.dtype))
    return of_queries[real].mean(dim=0)
