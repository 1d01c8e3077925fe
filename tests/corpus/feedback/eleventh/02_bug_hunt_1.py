# %% wrong: division_dropped_instead_of_mean | TRUE CAUSE: the double averaging is mended on the wrong side: mean(dim=(0, 2)) stays and the division by real.sum() is dropped, so the sum is divided by N * T, padding included, instead of by the number of real words
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.mean(dim=(0, 2))  # (H,)
    return total

# %% wrong: abs_after_the_average | TRUE CAUSE: abs is applied to the weighted sum of the signed steps instead of to the steps, so looks to the left and to the right of a word cancel each other and the distance comes out too small
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

# %% wrong: own_mean_of_sentence_means | TRUE CAUSE: each sentence is averaged over its own words and then the sentences are averaged alike, so a word of a short sentence counts more than one of a long sentence, instead of one average over all words that are no padding
def looking_distance(weights, real):
    length = weights.shape[-1]
    far = torch.tensor([[abs(i - j) for j in range(length)] for i in range(length)])
    per_sentence = []
    for attention, words in zip(weights, real):
        distance = (attention * far).sum(-1)
        per_sentence.append(distance[:, words].mean(-1))
    return torch.stack(per_sentence).mean(0)

# %% wrong: own_einsum_leaves_out_keys | TRUE CAUSE: in the einsum real is indexed with k, the axis of the keys, instead of with q, so the keys that are padding are left out and the queries that are padding still count in the sum
def looking_distance(weights, real):
    places = torch.arange(weights.size(-1), dtype=weights.dtype)
    far = (places - places.unsqueeze(1)).abs()
    summed = torch.einsum("nhqk,qk,nk->h", weights, far, real.to(weights.dtype))
    return summed / real.sum()
