# %% right: fourteenth_own_softmin_row_by_row
def smooth(positions, signal, width):
    rows = []
    for center in positions:
        far = (positions - center).square() / (2 * width**2)
        rows.append(F.softmin(far, dim=0))
    weights = torch.stack(rows)
    smoothed = (weights * signal).sum(dim=1)
    return smoothed, weights
# %% right: eleventh_own_point_by_point
def smooth(positions, signal, width):
    rows = [F.softmax(-0.5 * ((positions - here) / width) ** 2, dim=0) for here in positions]
    smoothed = [row.dot(signal) for row in rows]
    return torch.stack(smoothed), torch.stack(rows)
# %% right: own_powers_over_their_sum
def smooth(positions, signal, width):
    z = (positions.view(1, -1) - positions.view(-1, 1)) / width
    bell = torch.exp(-z * z / 2)
    weights = bell / bell.sum(1, keepdim=True)
    return torch.einsum("ij,j->i", weights, signal), weights
# %% right: tenth_own_point_by_point
def smooth(positions, signal, width):
    smoothed, weights = [], []
    for here in positions:
        gap = (positions - here).abs()
        w = F.softmax(-gap.pow(2) / (2 * width**2), dim=-1)
        weights.append(w)
        smoothed.append(torch.dot(w, signal))
    return torch.stack(smoothed), torch.stack(weights)
