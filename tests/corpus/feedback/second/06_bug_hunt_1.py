# %% wrong: window_left | TRUE CAUSE: only the direction of back was mended; the window still counts one token too many (<= instead of <)
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = (back >= 0) & (back <= window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask


# %% wrong: both_ways | TRUE CAUSE: two mistakes: the wrong direction of back was mended with an absolute value, so tokens after the query are seen as well, and the mask is returned as (N, T, T) without the axis of the heads
def packed_mask(segments, window):
    t = segments.size(1)
    place = torch.arange(t, device=segments.device)
    apart = (place[:, None] - place[None, :]).abs()
    same = segments[:, :, None] == segments[:, None, :]
    return same & (apart < window)


# %% wrong: itself_hidden | TRUE CAUSE: both bugs are mended, but back >= 0 was changed to back > 0, so a token may not look at itself
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2).eq(segments.unsqueeze(1))  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.reshape(-1, 1) - place  # (T, T): how far each query looks back
    near = torch.logical_and(back > 0, back < window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask


# %% wrong: and_for_ampersand | TRUE CAUSE: both bugs are mended, but the two comparisons are joined with Python's and instead of &, which tensors of more than one value refuse (crash)
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = back >= 0 and back < window
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask
