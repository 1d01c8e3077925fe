# %% wrong: columns_normalized_then_turned | TRUE CAUSE: the softmax still runs over dim=0, so the columns of the weights sum to 1; the transpose in the product repairs the smoothed signal (the scores are symmetric), but the returned weights are the wrong way round: their rows do not sum to 1.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights.T @ signal  # (T,)
    return smoothed, weights


# %% wrong: exp_before_the_softmax | TRUE CAUSE: the scores are 1 / exp(d^2 / 2w^2), the finished fits of the notebook's picture, and are then put through a softmax, which takes the exponential a second time; far points keep a large weight, since a score of 0 is a score like any other.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    gaps = positions[:, None] - positions[None, :]  # (T, T)
    fits = 1 / torch.exp(gaps.square() / (2 * width**2))  # 1 where there is no gap
    weights = fits.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: width_multiplies | TRUE CAUSE: both bugs are repaired, but the parentheses of the divisor were lost: / 2 * width**2 divides by 2 and then multiplies by width squared, so a larger width smooths less instead of more.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / 2 * width**2
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights
