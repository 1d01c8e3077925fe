# %% wrong: only_the_distance_repaired | TRUE CAUSE: only the sign of the steps is repaired; the total is still a mean over sentences and words, so it is divided by their number twice.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.mean(dim=(0, 2))  # (H,)
    return total / real.sum()

# %% wrong: only_the_mean_repaired | TRUE CAUSE: only the mean is made a sum; the steps still have a sign, so looking back and looking ahead cancel each other.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()

# %% wrong: absolute_value_too_late | TRUE CAUSE: the absolute value is taken of each query's weighted sum and not of the steps, so within a row looking back and looking ahead have already cancelled.
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

# %% wrong: mean_of_the_sentences_means | TRUE CAUSE: each sentence is averaged by itself and then the sentences are averaged, so the words of a short sentence count more than those of a long one.
def looking_distance(weights, real):
    T = weights.size(-1)
    positions = torch.arange(T)
    steps = (positions[:, None] - positions[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1) * real[:, None, :]  # (N, H, T)
    by_sentence = by_query.sum(dim=-1) / real.sum(dim=-1, keepdim=True)  # (N, H)
    return by_sentence.mean(dim=0)

# %% wrong: keys_masked_not_queries | TRUE CAUSE: the mask is laid on the keys, the last axis of the weights, instead of on the queries, so the rows of padding are still counted.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()
    weights = weights.masked_fill(~real[:, None, None, :], 0.0)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    return by_query.sum(dim=(0, 2)) / real.sum()

# %% wrong: weights_changed_in_place | TRUE CAUSE: the weights are multiplied by the distances in place, so the caller's weights are changed.
def looking_distance(weights, real):
    place = torch.arange(weights.size(-1))
    steps = (place.unsqueeze(1) - place.unsqueeze(0)).abs()
    weights *= steps
    by_query = weights.sum(dim=-1).masked_fill(~real.unsqueeze(1), 0.0)
    return by_query.sum(dim=(0, 2)) / real.sum()

# %% wrong: two_signed_steps_and_padding_counted | TRUE CAUSE: two mistakes: the steps still have a sign, and the mean over all places is returned, so padding is counted as words.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)
