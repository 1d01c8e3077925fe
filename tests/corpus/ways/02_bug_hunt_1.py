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
