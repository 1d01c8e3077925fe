# %% wrong: divides_then_multiplies | TRUE CAUSE: the sign and the axis are mended, but the parentheses around 2 * width**2 are gone, so the squared distance is divided by 2 and multiplied by width**2, and a larger width smooths less.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / 2 * width**2
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: turns_the_product | TRUE CAUSE: the sign is mended, but the softmax still runs over dim=0 and the product is turned round to signal @ weights, so the smoothed signal is right but the returned weights are transposed: their columns sum to 1, not the rows of the queries.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = signal @ weights  # (T,)
    return smoothed, weights

# %% wrong: own_fits | TRUE CAUSE: fits.sum() has no dim, so all fits are divided by the sum of the whole table rather than by that of their row: the rows sum to about 1 / T and the smoothed signal is far too small.
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    fits = torch.exp(-gaps.square() / (2 * width**2))
    weights = fits / fits.sum()
    return weights @ signal, weights

# %% wrong: own_row_by_row | TRUE CAUSE: the factor 2 stands inside the square, so the score is minus the squared gap over 4 * width**2 and not over 2 * width**2: it smooths with a width that is too large by the square root of 2.
def smooth(positions, signal, width):
    rows = [torch.softmax(-((p - positions) / (2 * width)) ** 2, dim=0) for p in positions]
    weights = torch.stack(rows)
    smoothed = torch.stack([torch.dot(row, signal) for row in rows])
    return smoothed, weights
