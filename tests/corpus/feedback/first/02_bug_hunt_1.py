# %% wrong: absolute_value_too_late | TRUE CAUSE: the absolute value is taken of each query's weighted average of signed steps instead of the steps themselves, so steps forward and back cancel each other
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Padding that asks does not count.
    """
    positions = torch.arange(weights.size(-1))
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = (weights * steps).sum(dim=-1).abs()  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()

# %% wrong: hides_keys_instead_of_queries | TRUE CAUSE: both bugs are mended, but the padding mask was moved from the queries to the keys, so padding that asks counts in the total
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Padding that asks does not count.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps * real[:, None, None, :]).sum(dim=-1)  # (N, H, T)
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()

# %% wrong: mean_of_sentence_means | TRUE CAUSE: both bugs are mended, but the average is first taken within each sentence and then over sentences, instead of over all words at once, so short sentences count too much
def looking_distance(weights, real):
    length = weights.size(-1)
    where = torch.arange(length, device=weights.device)
    steps = (where.unsqueeze(1) - where).abs()
    by_query = torch.einsum("nhqk,qk->nhq", weights, steps.to(weights.dtype))
    by_query = by_query * real.unsqueeze(1)
    by_sentence = by_query.sum(dim=2) / real.sum(dim=1, keepdim=True)  # (N, H)
    return by_sentence.mean(dim=0)
