# %% right: pick_the_real_queries
def looking_distance(weights, real):
    places = torch.arange(weights.size(-1), device=weights.device)
    steps = (places[None, :] - places[:, None]).abs().to(weights.dtype)
    by_query = torch.einsum("nhqk,qk->nqh", weights, steps)
    return by_query[real].mean(dim=0)


# %% right: transposed_steps_and_weighted_sum
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,)."""
    positions = torch.arange(weights.size(-1))
    steps = (positions[None, :] - positions[:, None]).abs()
    distance = weights * steps  # (N, H, T, T)
    distance = distance.masked_fill(~real[:, None, :, None], 0.0)
    return distance.sum(dim=(0, 2, 3)) / real.sum()


# %% right: own_collect_the_words
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    place = torch.arange(weights.size(-1), device=weights.device)
    far = (place[:, None] - place[None, :]).abs()  # (T, T)
    distance = (weights * far).sum(dim=-1)  # (N, H, T)
    return distance.transpose(1, 2)[real].mean(dim=0)  # the words, (W, H) -> (H,)

# %% right: own_one_einsum
def looking_distance(weights, real):
    at = torch.arange(weights.size(-1), dtype=weights.dtype, device=weights.device)
    gap = torch.cdist(at[:, None], at[:, None], p=1)
    words = real.to(weights.dtype)
    return torch.einsum("nhij,ij,ni->h", weights, gap, words) / words.sum()
