# %% wrong: only_abs_fixed | TRUE CAUSE: distances are absolute now, but the mean over sentences and places is still divided by the number of words once more; it should be the sum
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


# %% wrong: only_sum_fixed | TRUE CAUSE: the sum is divided by the number of words now, but the steps still have a sign, so looking back and looking ahead cancel out
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


# %% wrong: abs_after_the_average | TRUE CAUSE: the absolute value is taken after the weighted sum over the keys, so within one query back and ahead still cancel out
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


# %% wrong: mean_with_padding | TRUE CAUSE: the division by the number of words was removed instead of the mean, so the mean counts the places of the padding as well
def looking_distance(weights, real):
    """How many words away each head looks on average: (H,).

    weights is (N, H, T, T); real is (N, T), True at words. Queries that are padding are left out.
    """
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)


# %% wrong: mean_of_sentence_means | TRUE CAUSE: each sentence is averaged by itself and then the sentences are averaged, so a word of a short sentence counts more; it should be one average over all words
def looking_distance(weights, real):
    places = torch.arange(weights.size(-1))
    steps = (places[:, None] - places[None, :]).abs()
    by_query = (weights * steps).sum(dim=-1) * real[:, None, :]  # (N, H, T)
    by_sentence = by_query.sum(dim=2) / real.sum(dim=1, keepdim=True)  # (N, H)
    return by_sentence.mean(dim=0)


# %% wrong: squared_steps | TRUE CAUSE: the sign is removed by squaring the steps, so it is the mean squared distance and not the distance
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]) ** 2  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()


# %% wrong: keys_hidden_and_divided_by_sentences | TRUE CAUSE: two mistakes: padding is left out among the keys (the real mask lies along the last axis of the weights) instead of among the queries, and the total is divided by the number of sentences instead of words
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1))
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    seen = weights * real[:, None, None, :]
    by_query = (seen * steps).sum(dim=-1)  # (N, H, T)
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.size(0)
