# %% wrong: axis-missed | Only the sign was found. The softmax still runs over dim=0, so the columns sum to 1 and not the rows, and the smoothed values, above all at the ends, are no averages.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = -(distances**2) / (2 * width**2)
    weights = scores.softmax(dim=0)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: order-swapped-in-place-of-the-sign | The axis is mended, but against the wrong sign the two sides of the subtraction were swapped. The square takes the sign away again, so the scores still grow with the distance and the farthest points weigh most.
def smooth(positions, signal, width):
    distances = positions[None, :] - positions[:, None]
    scores = distances.pow(2) / (2 * width**2)
    weights = F.softmax(scores, dim=1)
    smoothed = torch.mv(weights, signal)
    return smoothed, weights

# %% wrong: sum-over-everything | The kernel is right, but it is divided by the sum over the whole matrix and not by the sum of each row, so all weights together sum to 1, a row to about 1/T, and the smoothed signal is far too small.
def smooth(positions, signal, width):
    queries, keys = positions.unsqueeze(1), positions.unsqueeze(0)
    kernel = torch.exp(-((queries - keys) ** 2) / (2 * width**2))
    attention_weights = kernel / kernel.sum()
    return torch.matmul(attention_weights, signal), attention_weights

# %% wrong: times-the-width | Sign and axis are mended, but in the rewritten score the parentheses around 2 * width**2 are lost, so the squared distance is multiplied by width**2 and not divided by it: a small width smooths more and a large one less.
def smooth(positions, signal, width):
    gaps = torch.stack([positions - here for here in positions])
    scores = -1 * gaps.square() / 2 * width**2
    weights = torch.softmax(scores, dim=-1)
    return (weights * signal).sum(dim=-1), weights

# %% wrong: one-minus-the-weights | The wrong sign is mended after the softmax, by taking 1 - weights. That turns the order round, but the rows then sum to T - 1 and not to 1; the scores have to be negative before the softmax.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)
    scores = (distances**2) / (2 * width**2)
    weights = 1 - scores.softmax(dim=1)
    smoothed = weights @ signal
    return smoothed, weights

# %% wrong: reciprocal-and-axis | Two mistakes. Nearness is made with a reciprocal, 1 / (1 + score), which lies between 0 and 1 for every distance, so after the softmax far points still weigh more than a third of the nearest: the score has to be made negative. And the softmax still runs over dim=0.
def smooth(positions, signal, width):
    distances = torch.cdist(positions[:, None], positions[:, None])
    scores = 1 / (1 + distances**2 / (2 * width**2))
    weights = torch.softmax(scores, 0)
    smoothed = torch.einsum("qk,k->q", weights, signal)
    return smoothed, weights

# %% right: kernel-and-row-sums
def smooth(positions, signal, width):
    gaps = (positions[:, None] - positions[None, :]) / width
    kernel = torch.exp(-0.5 * gaps * gaps)
    weights = kernel / kernel.sum(dim=1, keepdim=True)
    smoothed = torch.einsum("ij,j->i", weights, signal)
    return smoothed, weights
