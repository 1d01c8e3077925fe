# %% wrong: columns_normalized_and_product_turned_round | TRUE CAUSE: The softmax still runs over axis 0 and the product was turned to signal @ weights instead, so the smoothed signal is right but the returned weights are the transpose of what they should be: columns sum to 1, rows do not.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = signal @ weights  # (T,)
    return smoothed, weights
# %% wrong: times_width_squared | TRUE CAUSE: The brackets around 2 * width**2 are gone, so the squared distance is halved and then multiplied by width**2 instead of divided by it: a larger width smooths less.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / 2 * width**2
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights
# %% wrong: own_absolute_distance | TRUE CAUSE: The score is minus the absolute distance over 2 * width**2 instead of minus the squared distance, so the weights fall off as a simple exponential and not as a bell curve.
def smooth(positions, signal, width):
    rows = []
    for here in positions:
        gap = (positions - here).abs()
        rows.append(torch.softmax(-gap / (2 * width**2), dim=0))
    weights = torch.stack(rows)
    return (weights * signal).sum(dim=1), weights
# %% wrong: own_row_sums_divide_columns | TRUE CAUSE: kernel.sum(dim=1) lacks keepdim, so the row sums broadcast along the columns and entry (i, j) is divided by the sum of row j instead of row i: the rows do not sum to 1.
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    kernel = torch.exp(-0.5 * (gaps / width).square())
    weights = kernel / kernel.sum(dim=1)
    return weights @ signal, weights
