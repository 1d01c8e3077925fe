# %% wrong: sign-only | Only the missing minus is found: the softmax still runs over axis 0, the points that ask, so the rows of the weights do not sum to 1 and weights @ signal is no average.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: minus-inside-the-square | The axis is mended, but the minus is put before the distances, inside the square, where it vanishes: far points still get the highest score.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = ((-distances) ** 2) / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: signed-distance | Instead of a minus before the square, the square is removed: the score is minus the signed distance, so each point prefers what lies farthest to its right and not what is near.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = -distances / (2 * width**2)
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: width-multiplies | As in d2l's kernel regression, where w multiplies the distance, the width is multiplied instead of divided by: a larger width now smooths less, not more.
def smooth(positions, signal, width):
    queries = positions.reshape(-1, 1).repeat(1, len(positions))
    attention_weights = F.softmax(-(((queries - positions) * width) ** 2) / 2, dim=1)
    return torch.matmul(attention_weights, signal), attention_weights

# %% wrong: one-sum-for-everything | The fits are divided by the sum of the whole matrix and not by the sum of each row, so the weights of a point sum to about 1 / T, and the smoothed signal is far too small.
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    fits = torch.exp(-gaps.square() / (2 * width**2))
    weights = fits / fits.sum()
    smoothed = (weights * signal).sum(dim=1)
    return smoothed, weights

# %% wrong: columns-first-then-rows | The softmax over the columns (dim=0) is kept, and the rows are divided by their sums afterwards: they sum to 1 now, but each weight is still divided by the sum of its column, so points at the edges get too much weight; the softmax has to run over dim=1 instead.
def smooth(positions, signal, width):
    gaps = positions.unsqueeze(1) - positions.unsqueeze(0)
    weights = torch.softmax(-gaps.pow(2) / (2 * width**2), dim=0)
    weights = weights / weights.sum(dim=1, keepdim=True)
    return weights @ signal, weights

# %% right: kernel-by-hand
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    kernel = torch.exp(-0.5 * (gaps / width) ** 2)
    weights = kernel / kernel.sum(dim=1, keepdim=True)
    return (weights * signal).sum(dim=1), weights

# %% right: minus-and-last-axis
def smooth(positions, signal, width):
    diff = positions.unsqueeze(-1) - positions.unsqueeze(-2)
    weights = F.softmax(-diff.pow(2) / (2 * width**2), dim=-1)
    return torch.matmul(weights, signal), weights
