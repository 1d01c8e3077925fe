# %% wrong: softmin-over-columns | Only the sign is mended (softmin). The softmax still runs over dim 0, believed harmless because the distances are symmetric; but then the columns sum to 1 and not the rows, which multiply the signal, so each result is no average (worst at the ends).
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    misfit = gaps.pow(2) / (2 * width**2)
    weights = F.softmin(misfit, dim=0)
    return torch.mv(weights, signal), weights

# %% wrong: inverse-of-distance | The sign is not mended by negating the score but by taking its inverse: 1 / distance also makes near points fit well, but it is not the fit of the picture (e to the minus of the squared distance): it explodes at distance 0, so each point puts all its weight on itself and nothing is smoothed.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = (2 * width**2) / (distances**2 + 1e-6)
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: minus-inside-the-square | The axis is mended, but the minus sign is put on the distances, before they are squared; the square swallows it, so the scores are still positive and the farthest points get the largest weights.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = (-distances) ** 2 / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: kernel-divided-by-the-sum-of-all | The powers of e are divided by the sum of the whole matrix instead of by the sum of each row, so all T * T weights together sum to 1, not the weights of each point, and the smoothed signal is far too small.
def smooth(positions, signal, width):
    gaps = torch.subtract(positions.view(-1, 1), positions.view(1, -1))
    fits = torch.exp(-gaps.square() / (2 * width * width))
    weights = fits / fits.sum()
    smoothed = (weights * signal).sum(dim=1)
    return smoothed, weights

# %% wrong: loop-with-the-sign-left | Each point has its own softmax over all points now (the axis is mended), but the score is still the positive squared distance: a large distance counts as a good fit, so the far points get the weight; it needs a minus.
def smooth(positions, signal, width):
    rows = []
    for here in positions:
        score = (positions - here).square() / (2 * width**2)
        rows.append(F.softmax(score, dim=0))
    weights = torch.stack(rows)
    smoothed = torch.einsum("ij,j->i", weights, signal)
    return smoothed, weights

# %% right: kernel-divided-by-its-row
def smooth(positions, signal, width):
    def fit(here):
        return torch.exp(-0.5 * ((positions - here) / width) ** 2)
    fits = torch.stack([fit(here) for here in positions])
    weights = fits / fits.sum(dim=1, keepdim=True)
    return (weights * signal).sum(dim=1), weights
