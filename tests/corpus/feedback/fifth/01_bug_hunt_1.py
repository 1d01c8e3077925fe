# %% wrong: minus_inside_the_square | TRUE CAUSE: the minus is put inside the square, where it vanishes: the scores are still highest for the farthest points
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it."""
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (-distances) ** 2 / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: parentheses_lost_around_the_width | TRUE CAUSE: without the parentheses the squared distance is halved and then multiplied by width squared, instead of being divided by it
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it."""
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / 2 * width**2
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: turned_for_the_product_only | TRUE CAUSE: the softmax still runs over dim 0, and only the product uses the transpose: the smoothed signal is right, but the returned weights sum to 1 in their columns and not in their rows
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights.T @ signal  # (T,)
    return smoothed, weights

# %% wrong: divided_by_the_sum_of_everything | TRUE CAUSE: the powers of e are divided by the sum of the whole table instead of each by the sum of its row: a row sums to far less than 1, and the signal shrinks
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it."""
    gaps = positions[:, None] - positions[None, :]
    fits = torch.exp(-gaps.square() / (2 * width**2))
    weights = fits / fits.sum()
    return weights @ signal, weights
