# %% wrong: divided_by_all_places | TRUE CAUSE: The sum is divided by real.numel(), all places of the batch with the padding, instead of by the number of real words, so the distance comes out too small as soon as there is padding.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.numel()
# %% wrong: absolute_value_after_the_average | TRUE CAUSE: abs is taken of each query's weighted sum of signed steps instead of the steps themselves, so looks to the left and to the right of a word cancel before the absolute value.
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
# %% wrong: own_mean_of_sentence_means | TRUE CAUSE: Each sentence is averaged over its own words first and then the sentences are averaged alike, instead of averaging over all words of the batch, so the words of short sentences count more.
def looking_distance(weights, real):
    place = torch.arange(weights.size(-1))
    far = (place.unsqueeze(0) - place.unsqueeze(1)).abs()
    means = []
    for attention, words in zip(weights, real):
        seen = attention[:, words]  # (H, words, T)
        means.append((seen * far[words]).sum(dim=-1).mean(dim=-1))
    return torch.stack(means).mean(dim=0)
# %% wrong: own_padding_taken_out_of_the_keys | TRUE CAUSE: In the einsum the mask carries the letter k of the keys instead of q of the queries, so the looks of padded queries are counted and looks at padded keys are left out.
def looking_distance(weights, real):
    at = torch.arange(weights.shape[-1], dtype=weights.dtype)
    apart = (at[:, None] - at).abs()
    keep = real.to(weights.dtype)
    return torch.einsum("nhqk,qk,nk->h", weights, apart, keep) / keep.sum()
