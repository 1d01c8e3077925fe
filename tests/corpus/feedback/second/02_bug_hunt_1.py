# %% wrong: only_abs | TRUE CAUSE: only the missing absolute value was mended; the sum still runs over the queries (dim=-2) instead of the keys (dim=-1)
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Padding that asks does not count.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-2)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()


# %% wrong: abs_too_late | TRUE CAUSE: the sum axis is mended, but the absolute value is taken of each query's average instead of each distance, so looking left and right still cancels out
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Padding that asks does not count.
    """
    positions = torch.arange(weights.size(-1))
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = torch.einsum("nhqk,qk->nhq", weights, steps.to(weights.dtype)).abs()  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()


# %% wrong: real_on_keys | TRUE CAUSE: both bugs are mended, but real now hides the keys that are padding instead of the queries, so padding that asks counts
def looking_distance(weights, real):
    t = weights.shape[-1]
    place = torch.arange(t, device=weights.device)
    apart = torch.abs(place.view(-1, 1) - place.view(1, -1))
    looked = weights * real[:, None, None, :] * apart
    per_head = looked.sum(dim=-1).sum(dim=-1).sum(dim=0)
    return per_head / real.sum()


# %% wrong: words_per_sentence | TRUE CAUSE: both bugs are mended, but the right divisor was changed to real.sum(dim=1), (N,), which does not line up with (H,): a crash, or wrong averages where it broadcasts
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Padding that asks does not count.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum(dim=1)
