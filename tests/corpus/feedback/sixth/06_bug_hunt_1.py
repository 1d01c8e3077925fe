# %% wrong: only_the_window | TRUE CAUSE: only the window's off-by-one is fixed; back is still key minus query, so each token looks at those after it
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)  # (T, T): how far each query looks back
    near = (back >= 0) & (back < window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: absolute_distance | TRUE CAUSE: the direction is 'fixed' with abs(): each token sees window - 1 neighbors on both sides, the future too
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = (place.unsqueeze(0) - place.unsqueeze(1)).abs()  # (T, T): how far each query looks back
    near = (back >= 0) & (back < window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: negative_back_one_too_many | TRUE CAUSE: the direction is fixed by turning the comparisons round, but the window still holds window + 1 tokens (itself and window before it)
def packed_mask(segments, window):
    same = segments[:, :, None] == segments[:, None, :]  # (N, T, T)
    place = torch.arange(segments.shape[1], device=segments.device)
    offset = place[None, :] - place[:, None]  # key minus query: negative for the past
    near = (offset <= 0) & (offset >= -window)
    return (same & near)[:, None]

