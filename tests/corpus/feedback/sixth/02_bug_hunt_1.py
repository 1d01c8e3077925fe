# %% wrong: abs_after_the_average | TRUE CAUSE: abs is taken of the weighted mean of the signed steps, not of the steps: looks to the left and to the right cancel out before it
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


# %% wrong: mean_counts_padding | TRUE CAUSE: abs is repaired, but to stop dividing twice the wrong division was removed: the mean over all N times T places counts the padding queries too
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)


# %% wrong: mean_of_sentence_means | TRUE CAUSE: each sentence is averaged by itself and then the sentences are averaged, so that a word of a short sentence counts more; asked was the average over all words
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,)."""
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    by_sentence = by_query.sum(dim=2) / real.sum(dim=1, keepdim=True)  # (N, H)
    return by_sentence.mean(dim=0)  # (H,)
