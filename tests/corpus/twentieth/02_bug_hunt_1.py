# %% wrong: abs-after-average | The absolute value is taken after the weighted sum over the keys, not of each step before it; so looking one word back and one ahead cancel, and the result is how far the average place is, not the average distance.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = (weights * steps).sum(dim=-1).abs()  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()

# %% wrong: mean-and-divide | Only the missing absolute value was mended; the total is still a mean over N and T, which has already divided by the number of all positions, and is then divided by the number of real words once more.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = torch.cdist(positions[:, None].float(), positions[:, None].float(), p=1)
    by_query = torch.einsum("nhqk,qk->nhq", weights, steps)
    by_query = by_query.masked_fill(~real[:, None, :], 0.0)
    return by_query.mean(dim=0).mean(dim=-1) / real.sum()

# %% wrong: mean-over-padding-too | The double division was mended by dropping the division by real.sum() and keeping the mean; so the sum over the real words is divided by all N * T positions, padding among them, and comes out too small.
def looking_distance(weights, real):
    T = weights.size(-1)
    steps = torch.arange(T, device=weights.device)
    steps = (steps.unsqueeze(1) - steps.unsqueeze(0)).abs()
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = torch.where(real.unsqueeze(1), by_query, torch.zeros_like(by_query))
    return by_query.mean(dim=(0, 2))

# %% wrong: mean-of-sentence-means | It averages first within each sentence and then over the sentences; so a word of a short sentence counts more than one of a long one, instead of each real word counting once.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    distance = (positions[:, None] - positions[None, :]).abs()
    found = []
    for one, words in zip(weights, real):
        by_query = (one * distance).sum(dim=-1)  # (H, T)
        found.append((by_query * words).sum(dim=-1) / words.sum())
    return torch.stack(found).mean(dim=0)

# %% wrong: real-on-the-keys | `real` is laid on the axis of the keys instead of on that of the queries; so the rows of padding queries are counted in the total, while only the number of real words divides it.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    distance = (positions[:, None] - positions).abs().to(weights.dtype)
    total = torch.einsum("nhqk,qk,nk->h", weights, distance, real.to(weights.dtype))
    return total / real.sum()

# %% right: pick-the-real-rows
def looking_distance(weights, real):
    T = weights.size(-1)
    places = torch.arange(T, device=weights.device)
    distance = (places.view(T, 1) - places.view(1, T)).abs()
    rows = weights.transpose(1, 2)[real]  # (words, H, T)
    far = distance.expand(real.size(0), T, T)[real]  # (words, T)
    return (rows * far.unsqueeze(1)).sum(dim=-1).mean(dim=0)
