# %% wrong: absolute_value_after_the_sum | abs() is taken of each query's sum instead of each single step: a look to the left and one to the right have already cancelled by then. (The mean is repaired to a sum.)
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = positions[:, None] - positions[None, :]  # (T, T)
    by_query = (weights * steps).sum(dim=-1).abs()  # (N, H, T)
    by_query = by_query * real[:, None, :]
    total = by_query.sum(dim=(0, 2))  # (H,)
    return total / real.sum()
# %% wrong: mean_over_padding_too | The double division is removed at the wrong end: mean(dim=(0, 2)) is kept and the division by real.sum() dropped, so the zeros of the padding rows are counted as words.
def looking_distance(weights, real):
    positions = torch.arange(weights.size(-1), device=weights.device)
    steps = (positions[:, None] - positions[None, :]).abs()  # (T, T)
    by_query = (weights * steps).sum(dim=-1)  # (N, H, T)
    by_query = by_query * real[:, None, :]
    return by_query.mean(dim=(0, 2))  # (H,)
# %% wrong: own_root_of_mean_square_distance | To get rid of the sign the steps are squared and the root is taken after averaging over the keys: that is the root mean square distance of each query, which is larger than the mean distance.
def looking_distance(weights, real):
    place = torch.arange(weights.size(-1), dtype=weights.dtype, device=weights.device)
    squared = (place[:, None] - place).square()
    by_query = torch.einsum("nhqk,qk->nqh", weights, squared).sqrt()
    return by_query[real].mean(dim=0)
# %% wrong: own_mean_of_the_sentences_means | Each sentence is averaged by itself first and then the sentences' means are averaged, so every sentence counts alike; the average should be over all words, so words of short sentences weigh too much here.
def looking_distance(weights, real):
    place = torch.arange(weights.size(-1), device=weights.device)
    distance = (place[:, None] - place[None, :]).abs()
    means = []
    for looks, is_word in zip(weights, real, strict=True):
        by_query = (looks * distance).sum(dim=-1)  # (H, T)
        means.append(by_query[:, is_word].mean(dim=1))
    return torch.stack(means).mean(dim=0)
