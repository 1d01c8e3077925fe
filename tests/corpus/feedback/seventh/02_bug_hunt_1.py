# %% wrong: abs_after_the_average | TRUE CAUSE: the absolute value is taken of the averaged step and not of each step, so looking one word back and one word ahead cancel to 0; the mean is repaired
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


# %% wrong: mean_over_padding_too | TRUE CAUSE: instead of the mean the division by the number of words was removed, so the average runs over all N * T queries and padding is counted as distance 0; the absolute value is repaired
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)


# %% wrong: mean_of_the_sentence_means | TRUE CAUSE: each sentence is averaged first and then the sentences are averaged, so the words of a short sentence count more than those of a long one, instead of one average over all words
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,)."""
    positions = torch.arange(weights.size(-1))
    distance = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * distance).sum(dim=-1)  # (N, H, T)
    by_query = by_query.masked_fill(~real[:, None, :], 0.0)
    by_sentence = by_query.sum(dim=-1) / real.sum(dim=-1, keepdim=True)  # (N, H)
    return by_sentence.mean(dim=0)
