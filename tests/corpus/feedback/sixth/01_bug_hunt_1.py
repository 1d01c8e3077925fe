# %% wrong: softmax_left_product_turned | TRUE CAUSE: instead of moving the softmax to the keys of each row, the product is turned round (signal @ weights): the smoothed signal is right, but the returned weights are transposed, their columns sum to 1 and not their rows
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = signal @ weights  # (T,)
    return smoothed, weights


# %% wrong: minus_inside_the_square | TRUE CAUSE: the minus stands inside the square, where it has no effect: the scores are still positive and the farthest points weigh most
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (-distances) ** 2 / (2 * width**2)
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: lost_parentheses_of_width | TRUE CAUSE: both bugs are repaired, but the parentheses around 2 * width**2 got lost in rewriting, so the scores are multiplied by width squared instead of divided by it
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it."""
    gaps = positions[:, None] - positions[None, :]  # (T, T)
    scores = -gaps.square() / 2 * width**2
    weights = scores.softmax(dim=1)
    return weights @ signal, weights
