# %% wrong: minus_found_axis_left | TRUE CAUSE: only the sign is repaired; the softmax still runs over axis 0, so each column sums to 1 and not each row, and the result is no average (it shows at the edges)
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: minus_inside_the_square | TRUE CAUSE: the minus sign stands inside the parentheses and is squared away, so far points still get the highest scores; the axis is repaired
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (-distances) ** 2 / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: exponential_taken_twice | TRUE CAUSE: the fits are already powers of e, as in the notebook's picture, and are given to a softmax instead of being divided by their sum: the exponential is taken twice, and far points keep much weight
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it."""
    gaps = positions[:, None] - positions[None, :]  # (T, T)
    fits = torch.exp(-gaps.square() / (2 * width**2))  # 1 where there is no gap
    weights = torch.softmax(fits, dim=-1)
    return weights @ signal, weights
