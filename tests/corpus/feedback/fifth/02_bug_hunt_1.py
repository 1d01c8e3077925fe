# %% wrong: absolute_value_after_the_average | TRUE CAUSE: the absolute value is taken of the weighted average and not of each distance, so a query that looks left and right alike gets 0
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,)."""
    positions = torch.arange(weights.size(-1))
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = (weights * steps).sum(dim=-1).abs()  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()

# %% wrong: mean_counts_the_padding | TRUE CAUSE: the division twice was repaired by leaving out the second one: the mean divides by all queries, padding included, though those were set to 0
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,)."""
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.mean(dim=(0, 2))  # (H,)
    return total

# %% wrong: root_of_the_mean_square | TRUE CAUSE: the sign is removed by squaring the distances and taking the root at the end: the root mean square, which is larger than the mean distance where the distances differ
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    squares = (positions[:, None] - positions[None, :]) ** 2  # (T, T)
    by_query = (weights * squares).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return (total / real.sum()).sqrt()

# %% wrong: looking_back_only_and_all_places | TRUE CAUSE: two mistakes: clamp(min=0) keeps only the distances to earlier words, so looking ahead counts as 0, and the sum is divided by the number of all places, real.numel(), padding included
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,)."""
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).clamp(min=0)  # no negative distances
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.numel()
