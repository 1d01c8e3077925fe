# %% right: gaps_in_units_of_width
def smooth(positions, signal, width):
    gaps = (positions[None, :] - positions[:, None]).abs() / width
    weights = torch.softmax(-0.5 * gaps * gaps, dim=-1)
    return (weights * signal).sum(dim=-1), weights


# %% right: softmin
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = distances**2 / (2 * width**2)
    weights = F.softmin(scores, dim=1)
    smoothed = weights.mv(signal)
    return smoothed, weights


# %% right: own_row_by_row
def smooth(positions, signal, width):
    """Replace each value of a noisy signal by an average of those around it.

    positions and signal are (T,). Returns the smoothed signal, (T,), and the weights, (T, T).
    """
    weights = torch.stack(
        [F.softmax(-(positions - here).square() / (2 * width**2), dim=0) for here in positions]
    )
    return (weights * signal).sum(dim=1), weights

# %% right: own_powers_over_their_sum
def smooth(positions, signal, width):
    z = (positions.view(1, -1) - positions.view(-1, 1)) / width
    bell = torch.exp(-z * z / 2)
    weights = bell / bell.sum(1, keepdim=True)
    return torch.einsum("ij,j->i", weights, signal), weights
