# %% wrong: only_the_sign | TRUE CAUSE: only the missing minus was mended; the softmax still runs over dim=0, so the columns sum to 1 instead of the rows
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: axis_and_width | TRUE CAUSE: two mistakes: the missing minus was left, so far points weigh most, and the right 2 * width**2 was changed to 2 * width
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (distances**2) / (2 * width)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: weights_turned | TRUE CAUSE: sign and softmax axis are mended, but the signal is multiplied from the wrong side (signal @ weights), which sums over the queries instead of the keys
def smooth(positions, signal, width):
    gap = (positions[:, None] - positions[None, :]) / width
    weights = F.softmax(-0.5 * gap.square(), dim=-1)
    return signal @ weights, weights


# %% wrong: distance_not_squared | TRUE CAUSE: sign and softmax axis are mended, but the square of the distances was replaced by their absolute value
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -distances.abs() / (2 * width**2)
    weights = torch.softmax(scores, 1)
    smoothed = torch.mv(weights, signal)  # (T,)
    return smoothed, weights
