# %% wrong: columns_still_sum_to_one | TRUE CAUSE: only the missing minus sign is mended; the softmax still runs over axis 0, so the columns sum to 1 and not the rows that average the signal
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: minus_lost_in_the_square | TRUE CAUSE: the minus sign is put on the distances before they are squared, where it has no effect, so far points still get the largest weights
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    distances = -(positions.unsqueeze(1) - positions.unsqueeze(0))  # (T, T)
    scores = (distances**2) / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights

# %% wrong: width_no_longer_squared | TRUE CAUSE: both bugs are mended, but the right 2 * width**2 was changed to 2 * width, so the smoothing has the wrong width
def smooth(positions, signal, width):
    gap = torch.abs(positions[:, None] - positions[None, :])
    weights = F.softmax(-gap.pow(2) / (2 * width), dim=-1)
    return torch.mv(weights, signal), weights
