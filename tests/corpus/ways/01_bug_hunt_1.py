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


# %% right: tenth_own_normal_fits
def smooth(positions, signal, width):
    z = (positions[:, None] - positions[None, :]) / width
    fits = torch.exp(-0.5 * z * z)
    weights = fits / fits.sum(dim=1, keepdim=True)
    return (weights * signal).sum(dim=1), weights

# %% right: tenth_own_point_by_point
def smooth(positions, signal, width):
    smoothed, weights = [], []
    for here in positions:
        gap = (positions - here).abs()
        w = F.softmax(-gap.pow(2) / (2 * width**2), dim=-1)
        weights.append(w)
        smoothed.append(torch.dot(w, signal))
    return torch.stack(smoothed), torch.stack(weights)


# %% right: eleventh_own_bell_curve
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    bell = torch.exp(-gaps.square() / (2 * width**2))
    weights = bell / bell.sum(dim=1, keepdim=True)
    return (weights * signal).sum(dim=1), weights

# %% right: eleventh_own_point_by_point
def smooth(positions, signal, width):
    rows = [F.softmax(-0.5 * ((positions - here) / width) ** 2, dim=0) for here in positions]
    smoothed = [row.dot(signal) for row in rows]
    return torch.stack(smoothed), torch.stack(rows)


# %% right: twelfth_own_row_by_row
def smooth(positions, signal, width):
    rows = [F.softmax(-0.5 * ((p - positions) / width) ** 2, dim=0) for p in positions]
    weights = torch.stack(rows)
    return torch.stack([(row * signal).sum() for row in weights]), weights
# %% right: twelfth_own_gaussian_kernel
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    kernel = torch.exp(-gaps.square() / (2 * width * width))
    weights = kernel / kernel.sum(dim=1, keepdim=True)
    return torch.einsum("ij,j->i", weights, signal), weights
