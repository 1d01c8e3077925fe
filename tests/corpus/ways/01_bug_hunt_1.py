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
