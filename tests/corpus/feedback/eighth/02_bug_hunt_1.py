# %% wrong: mean_over_padding_too | TRUE CAUSE: the double division was repaired on the wrong side: the mean over all places is kept and the division by the number of real words dropped, so padding queries, set to 0, are still counted.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)


# %% wrong: abs_after_the_average | TRUE CAUSE: the absolute value is taken of each query's average step instead of of the steps; a query that looks as far ahead as back still cancels to 0.
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


# %% wrong: mean_of_sentence_means | TRUE CAUSE: the distances are averaged within each sentence and then over the sentences, so each sentence counts the same; the average should be over all real words, in which longer sentences count more.
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    by_sentence = by_query.sum(dim=2) / real.sum(dim=1, keepdim=True)  # (N, H)
    return by_sentence.mean(dim=0)  # (H,)
