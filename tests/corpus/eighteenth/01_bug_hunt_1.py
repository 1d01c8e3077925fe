# %% wrong: transposed-only-for-the-average | The softmax still runs over dim=0, and the student mends the average alone, by transposing. The smoothed signal comes out right, since the scores are symmetric, but the weights that are returned are the untransposed ones: their columns sum to 1 and not their rows, so row i doesn't hold the weights with which value i was averaged.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights.T @ signal
    return smoothed, weights

# %% wrong: sign-kept-abs-added | Only the axis of the softmax is mended. The scores still grow with the distance (taking the absolute value before squaring changes nothing), so the farthest points get the most weight; the score has to be minus the squared gap.
def smooth(positions, signal, width):
    distances = (positions.unsqueeze(1) - positions.unsqueeze(0)).abs()
    scores = distances**2 / (2 * width**2)
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: nearness-as-reciprocal | To make near points score high, the fraction is turned upside down instead of being negated. At distance 0 the score is huge (2 width squared over 1e-6), so each point gives practically all its weight to itself and nothing is smoothed; the score has to be minus the squared gap over 2 width squared, so that the softmax makes a bell curve of it.
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    scores = 2 * width**2 / (gaps.square() + 1e-6)
    weights = F.softmax(scores, dim=-1)
    smoothed = torch.mv(weights, signal)
    return smoothed, weights

# %% wrong: kernel-sum-without-keepdim | The kernel is right, but it is divided by its row sums without keepdim. A (T,) is broadcast along the rows, so each column is divided by the sum that belongs to the row of the same number: the columns sum to 1 and not the rows, which is the softmax over dim=0 again.
def smooth(positions, signal, width):
    squared = torch.stack([(positions - here) ** 2 for here in positions])
    kernel = torch.exp(-squared / (2 * width**2))
    weights = kernel / kernel.sum(dim=1)
    smoothed = (weights * signal).sum(dim=1)
    return smoothed, weights

# %% wrong: gap-not-squared | The distance is no longer squared: the score is minus the gap itself over 2 width squared, so the weights fall off exponentially (a pointed kernel) and not like the bell curve of the given function, whose square was no bug.
def smooth(positions, signal, width):
    column = positions.unsqueeze(1)
    gaps = torch.cdist(column, column, p=1.0)
    weights = torch.softmax(-gaps / (2 * width**2), dim=1)
    smoothed = weights @ signal
    return smoothed, weights

# %% right: row-by-row
def smooth(positions, signal, width):
    rows = []
    for here in positions:
        nearness = -((positions - here) / width).square() / 2
        rows.append(F.softmax(nearness, dim=0))
    weights = torch.stack(rows)
    return (weights * signal).sum(dim=1), weights
