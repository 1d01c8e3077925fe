# %% wrong: only_the_sign_repaired | TRUE CAUSE: only the sign is repaired; the softmax still runs over the first axis, so the columns sum to 1 and the averages' weights do not.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: only_the_axis_repaired | TRUE CAUSE: only the axis of the softmax is repaired; without the minus, the score is highest where the distance is largest, so each point looks at those far away.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (distances**2) / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: one_over_the_distance | TRUE CAUSE: nearness is made by inverting the score, one over the squared distance, instead of by a minus; a point's distance to itself is 0, so its score is infinite and the softmax gives nan.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = 1 / (distances**2 / (2 * width**2))
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: product_from_the_other_side | TRUE CAUSE: the softmax still runs over the first axis, and the product was turned round to fit; the smoothed signal comes out right, but the returned weights are transposed: the row of a point does not sum to 1.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -distances.square() / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = signal @ weights
    return smoothed, weights

# %% wrong: distance_not_squared | TRUE CAUSE: the minus and the axis are right, but the score takes the absolute distance where the squared one belongs, so the weights fall off in another shape.
def smooth(positions, signal, width):
    gaps = (positions[:, None] - positions[None, :]).abs()
    weights = F.softmax(-gaps / (2 * width**2), dim=1)
    return weights @ signal, weights

# %% wrong: powers_not_divided_by_their_sum | TRUE CAUSE: the weights are exp of the scores, not divided by the sum of their row, so they are no average: they do not sum to 1.
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    weights = torch.exp(-gaps.square() / (2 * width**2))
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: two_axis_left_and_parentheses_lost | TRUE CAUSE: two mistakes: the softmax still runs over the first axis, and with the parentheses gone the scores are multiplied by width squared instead of divided by it.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / 2 * width**2
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights
