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


# %% right: tenth_own_picked_queries
def looking_distance(weights, real):
    rows = weights.transpose(1, 2)[real]  # (words, H, T)
    query_at = real.nonzero()[:, 1]
    key_at = torch.arange(rows.size(-1), device=weights.device)
    far = (query_at[:, None] - key_at[None, :]).abs()  # (words, T)
    return (rows * far[:, None, :]).sum(dim=-1).mean(dim=0)

# %% right: tenth_own_one_einsum
def looking_distance(weights, real):
    T = weights.shape[-1]
    far = torch.tensor([[abs(i - j) for j in range(T)] for i in range(T)])
    far = far.to(weights)
    asked = real.to(weights)
    return torch.einsum("nhqk,qk,nq->h", weights, far, asked) / asked.sum()


# %% right: eleventh_own_select_the_words
def looking_distance(weights, real):
    n, h, t, _ = weights.shape
    place = torch.arange(t, device=weights.device)
    far = (place.unsqueeze(0) - place.unsqueeze(1)).abs()
    distance = (weights * far).sum(dim=-1)
    return distance.transpose(1, 2)[real].mean(dim=0)

# %% right: eleventh_own_query_loop
def looking_distance(weights, real):
    total, count = 0, 0
    for n in range(weights.size(0)):
        for q in range(weights.size(2)):
            if not real[n, q]:
                continue
            away = torch.tensor([abs(q - k) for k in range(weights.size(3))], dtype=weights.dtype)
            total = total + weights[n, :, q] @ away
            count += 1
    return total / count


# %% right: twelfth_own_einsum
def looking_distance(weights, real):
    at = torch.arange(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    apart = (at[:, None] - at).abs()
    keep = real.to(weights.dtype)
    return torch.einsum("nhqk,qk,nq->h", weights, apart, keep) / keep.sum()
# %% right: twelfth_own_rows_picked_out
def looking_distance(weights, real):
    place = torch.arange(weights.size(-1), device=weights.device)
    far = (place.unsqueeze(0) - place.unsqueeze(1)).abs()
    by_query = (weights * far).sum(dim=-1).transpose(1, 2)  # (N, T, H)
    return by_query[real].mean(dim=0)
