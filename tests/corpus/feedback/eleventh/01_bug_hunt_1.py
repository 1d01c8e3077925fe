# %% wrong: one_minus_the_weights | TRUE CAUSE: the missing minus of the scores is mended in a wrong way, by 1 - softmax of the positive scores, so nearness is not weighed by the bell curve and each row of the weights sums to T - 1 instead of 1
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (distances**2) / (2 * width**2)
    weights = 1 - scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: parentheses_lost | TRUE CAUSE: sign and softmax axis are mended, but -distances**2 / 2 * width**2 has lost the parentheses of the divisor, so the scores are multiplied by width squared instead of divided by it and a larger width smooths less
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / 2 * width**2
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: own_kernel_without_keepdim | TRUE CAUSE: bell.sum(dim=1) has no keepdim, so the sums of the rows, (T,), broadcast along the last axis and divide the columns; the columns of the weights sum to 1 instead of the rows
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    bell = torch.exp(-gaps.square() / (2 * width**2))
    weights = bell / bell.sum(dim=1)
    return (weights * signal).sum(dim=1), weights

# %% wrong: own_only_the_neighbors | TRUE CAUSE: "an average of those around it" is misread as leaving out the value itself: the score of each point with itself is set to -inf, so the diagonal of the weights is 0 where it should be the largest weight
def smooth(positions, signal, width):
    rows = []
    for i, here in enumerate(positions):
        score = -((positions - here) ** 2) / (2 * width**2)
        others = torch.arange(len(positions)) != i
        rows.append(score.masked_fill(~others, float("-inf")).softmax(dim=0))
    weights = torch.stack(rows)
    return weights @ signal, weights
