# %% wrong: only_sign_fixed | TRUE CAUSE: the scores are negative now, but the softmax still runs over dim 0, so columns of the weights sum to 1, not rows
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: only_axis_fixed | TRUE CAUSE: the softmax runs over the right axis now, but the scores still grow with the distance, so far points get the weight
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (distances**2) / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: minus_is_squared_away | TRUE CAUSE: the minus stands inside the square, (-distances) ** 2, and is lost, so far points still get the weight; the axis is right
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = (-distances) ** 2 / (2 * width**2)
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: exponential_twice | TRUE CAUSE: the scores are made 1 / exp(...) as `fits` in the notebook and then go through a softmax, which takes the exponential a second time, so the weights are far too even
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = 1 / torch.exp((distances**2) / (2 * width**2))
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights


# %% wrong: weights_transposed_in_the_product | TRUE CAUSE: the softmax still runs over dim 0 and the product uses the transposed weights instead: the smoothed signal is right, but in the returned weights the columns sum to 1, not the rows
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights.T @ signal  # (T,)
    return smoothed, weights


# %% wrong: divided_by_the_sum_of_all | TRUE CAUSE: the fits are divided by the sum of the whole table instead of the sum of each row, so all weights together sum to 1
def smooth(positions, signal, width):
    distances = positions[:, None] - positions[None, :]
    fits = torch.exp(-distances.square() / (2 * width**2))
    weights = fits / fits.sum()
    return weights @ signal, weights


# %% wrong: absolute_distance_and_axis_left | TRUE CAUSE: two mistakes: the softmax still runs over dim 0, and the square of the distance has become its absolute value, so the bell shape is lost
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it."""
    distances = (positions.unsqueeze(1) - positions.unsqueeze(0)).abs()  # (T, T)
    scores = -distances / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights
