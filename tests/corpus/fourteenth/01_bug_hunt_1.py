# %% wrong: turns_the_difference_around | The missing minus is looked for in the difference, whose order is swapped; squaring undoes that, so the scores are still positive and the farthest points weigh most. (The softmax axis is repaired.)
def smooth(positions, signal, width):
    distances = positions.unsqueeze(0) - positions.unsqueeze(1)  # (T, T)
    scores = (distances**2) / (2 * width**2)
    weights = scores.softmax(dim=-1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights
# %% wrong: parentheses_lost_with_the_minus | While adding the minus, the parentheses around 2 * width**2 were dropped: / 2 * width**2 divides by 2 and then multiplies by width**2, so a wider window smooths less instead of more.
def smooth(positions, signal, width):
    distances = positions.unsqueeze(1) - positions.unsqueeze(0)  # (T, T)
    scores = -(distances**2) / 2 * width**2
    weights = scores.softmax(dim=1)
    smoothed = weights @ signal  # (T,)
    return smoothed, weights
# %% wrong: own_divided_by_the_sum_of_all | The powers of e are divided by fits.sum() without an axis, the sum of the whole matrix, instead of by the sum of each row: no row of the weights sums to 1, and the smoothed signal is far too small.
def smooth(positions, signal, width):
    gaps = positions[:, None] - positions[None, :]
    fits = torch.exp(-0.5 * (gaps / width).square())
    weights = fits / fits.sum()
    return torch.einsum("ij,j->i", weights, signal), weights
# %% wrong: own_one_over_the_distance_as_score | To make near points score high, the score is turned into 1 / (1 + d) instead of minus d: it is between 0 and 1 everywhere, so after the softmax far points still weigh more than a third of the nearest.
def smooth(positions, signal, width):
    def row(center):
        far = (positions - center).square() / (2 * width**2)
        closeness = 1 / (1 + far)  # 1 at the point itself, towards 0 far away
        return F.softmax(closeness, dim=0)
    weights = torch.stack([row(center) for center in positions])
    return weights.mv(signal), weights
