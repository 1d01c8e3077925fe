# %% wrong: only-abs | The sign of the steps is mended, but the total is still a mean over sentences and words and is then divided by the number of words once more, so the result is far too small.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = (positions[:, None] - positions[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1)
    by_query = by_query * real[:, None, :]
    total = by_query.mean(dim=(0, 2))
    return total / real.sum()

# %% wrong: abs-too-late | The absolute value is taken of each query's weighted mean, after a look back and a look ahead have cancelled; it has to be taken of the steps before they are weighted.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = positions[:, None] - positions[None, :]
    by_query = (weights * steps).sum(dim=-1).abs()
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))
    return total / real.sum()

# %% wrong: mean-of-sentence-means | Each sentence is averaged over its own words and then the sentences are averaged, so short sentences count as much as long ones; the average asked for is over all words together.
def looking_distance(weights, real):
    places = torch.arange(real.size(1), device=weights.device)
    far = torch.cdist(places[:, None].to(weights.dtype), places[:, None].to(weights.dtype), p=1)
    words = real.sum(dim=1, keepdim=True)
    by_sentence = []
    for sentence, mask in zip(weights, real):
        by_sentence.append((sentence * far).sum(dim=-1)[:, mask].sum(dim=-1))
    return (torch.stack(by_sentence) / words).mean(dim=0)

# %% wrong: masks-keys | Two mistakes. The padding is taken out on the axis of the keys instead of the queries, so padded queries are still counted in the total; and the steps are left with their sign.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = positions[:, None] - positions[None, :]
    by_query = (weights * steps * real[:, None, None, :]).sum(dim=-1)
    total = by_query.sum(dim=2).sum(dim=0)
    return total / real.sum()

# %% wrong: mean-over-keys | The distances of a query are averaged with mean over the keys, though the weights already sum to 1, so everything is divided by T once too often.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    distance = (positions[:, None] - positions).abs()
    kept = (weights * distance).transpose(1, 2)[real]
    return kept.mean(dim=-1).mean(dim=0)

# %% right: boolean-index
def looking_distance(weights, real):
    place = torch.arange(real.size(1), device=weights.device)
    distance = (place - place.unsqueeze(1)).abs()
    chosen = weights.permute(0, 2, 1, 3)[real]
    rows = distance.expand(real.size(0), -1, -1)[real]
    return (chosen * rows.unsqueeze(1)).sum(-1).mean(0)

# %% right: one-einsum
def looking_distance(weights, real):
    length = weights.shape[-1]
    away = torch.arange(length, dtype=weights.dtype, device=weights.device)
    away = (away.view(-1, 1) - away.view(1, -1)).abs()
    kept = real.to(weights.dtype)
    return torch.einsum("nhqk,qk,nq->h", weights, away, kept) / kept.sum()
