# %% wrong: axis-left-as-it-is | Only the missing minus is found. The softmax still runs over dim 0, since the student thinks that the axis cannot matter in a symmetric matrix. But it makes the columns sum to 1, while weights @ signal averages along the rows, so the rows of weights are no averages (at both ends they sum to less or more than 1).
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: minus-inside-the-square | The softmax's axis is mended, but the minus is put on the distances before they are squared, where it vanishes. The scores still grow with the distance, so far points weigh the most ("The score is minus the squared gap").
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = (-distances) ** 2 / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: sum-without-keepdim | The powers are divided by the sums of the rows without keepdim: the (T,) sums broadcast along the last axis, so column j is divided by the sum of row j, and the rows do not sum to 1 ("we divide each by the sum of its row"). It runs because the matrix is square.
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    kernel = torch.exp(-0.5 * (gaps / width).square())
    weights = kernel / kernel.sum(dim=1)
    smoothed = (weights * signal).sum(dim=1)
    return smoothed, weights

# %% wrong: einsum-sums-over-queries | Scores and softmax are right, but the product sums over the first axis of the weights (the points that ask) instead of the second (the points that are asked): each value is spread over the others, and what arrives at a point is no average, because the columns do not sum to 1.
def smooth(positions, signal, width):
    squared = (positions.view(-1, 1) - positions.view(1, -1)).pow(2)
    weights = torch.softmax(squared / (-2 * width**2), dim=-1)
    smoothed = torch.einsum("ij,i->j", weights, signal)
    return smoothed, weights

# %% wrong: reciprocal-as-score | The sign is not turned; instead the score is 1 / (1 + squared gap), since the student thinks that any number that falls with the distance will do as a score. In the softmax such scores lie between 0 and 1, so even the farthest point keeps more than a third of the weight of the nearest, and nearly the whole signal is averaged instead of the values around it (the score is minus the squared gap).
def smooth(positions, signal, width):
    rows = []
    for here in positions:
        far = (positions - here) ** 2 / (2 * width**2)
        rows.append(torch.softmax(1 / (1 + far), dim=0))
    weights = torch.stack(rows)
    smoothed = weights @ signal
    return smoothed, weights

# %% right: point-by-point
def smooth(positions, signal, width):
    weights = positions.new_empty(positions.size(0), positions.size(0))
    for place, here in enumerate(positions):
        gap = (positions - here) / width
        weights[place] = (-0.5 * gap * gap).softmax(dim=0)
    smoothed = (weights * signal).sum(dim=1)
    return smoothed, weights

# %% right: softmin
def smooth(positions, signal, width):
    def energy(query, keys):
        return ((query - keys) / width).square() / 2
    weights = F.softmin(energy(positions[:, None], positions), dim=-1)
    return torch.einsum("qk,k->q", weights, signal), weights
