# %% wrong: width_doubled_inside_the_square | TRUE CAUSE: with both published bugs mended, the student moves the 2 into the square, (distances / (2 * width))**2, so the squared distance is divided by 4 * width**2 instead of 2 * width**2 and the signal is smoothed over too wide a range.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -((distances / (2 * width)) ** 2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: transposes_only_for_the_product | TRUE CAUSE: the softmax is left at dim=0 and the product uses weights.T instead, so the smoothed signal is right but the returned weights are transposed: their columns sum to 1 and their rows do not.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights.T @ signal  # (T,)
    return smoothed, weights

# %% wrong: own_writes_into_the_signal | TRUE CAUSE: `smoothed = signal` makes a second name and not a copy, so the loop overwrites the caller's signal and each later point averages values that have already been smoothed.
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    smoothed = signal
    rows = []
    for i in range(len(positions)):
        row = F.softmax(-((positions - positions[i]) ** 2) / (2 * width**2), dim=0)
        rows.append(row)
        smoothed[i] = (row * signal).sum()
    return smoothed, torch.stack(rows)

# %% wrong: own_leaves_the_point_itself_out | TRUE CAUSE: the student reads "an average of those around it" as without the point itself and hides the diagonal before the softmax, so each point's own value has the weight 0 instead of the largest one (and a single point is nan).
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    gap = positions[:, None] - positions[None, :]
    fit = -0.5 * (gap / width).square()
    itself = torch.eye(len(positions), dtype=torch.bool)
    weights = torch.softmax(fit.masked_fill(itself, float("-inf")), dim=-1)
    return (weights * signal[None, :]).sum(dim=-1), weights
