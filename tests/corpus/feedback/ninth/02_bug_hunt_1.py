# %% wrong: absolute_value_after_the_sum | TRUE CAUSE: abs is applied to by_query, after the weighted sum over the keys, instead of to the steps, so looks to the left and to the right of one word still cancel each other and the distance comes out too small.
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

# %% wrong: mean_over_all_places | TRUE CAUSE: the second bug is mended by dropping the division and keeping the mean, which divides by N * T, so padded queries, whose distance is 0, are still counted and the distance is too small wherever there is padding.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)

# %% wrong: own_mean_of_sentence_means | TRUE CAUSE: the student averages within each sentence first and then over the sentences, instead of over all words at once, so words of short sentences count more than those of long ones.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    T = weights.shape[-1]
    far = torch.tensor([[abs(i - j) for j in range(T)] for i in range(T)])
    per_sentence = []
    for w, r in zip(weights, real):
        distance = (w * far).sum(dim=-1)  # (H, T)
        per_sentence.append(distance[:, r].mean(dim=-1))
    return torch.stack(per_sentence).mean(dim=0)

# %% wrong: own_leaves_out_padded_keys | TRUE CAUSE: real is put on the axis of the keys (letter j in the einsum) instead of on that of the queries (letter i), so padded queries are counted in the sum, and what a word looks at in the padding is left out.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    at = torch.arange(weights.size(-1), dtype=weights.dtype)
    gap = (at.unsqueeze(1) - at).abs()
    seen = real.to(weights.dtype)
    return torch.einsum("nhij,ij,nj->h", weights, gap, seen) / seen.sum()
