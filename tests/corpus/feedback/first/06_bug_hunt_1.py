# %% wrong: window_one_too_wide | TRUE CAUSE: the direction is repaired, but back <= window still lets a token see window + 1 tokens
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


# %% wrong: window_never_ends | TRUE CAUSE: the difference is left the wrong way round and only back >= 0 is turned to <= 0, so back < window is always true and the window limits nothing
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)  # (T, T): how far each query looks back
    near = (back <= 0) & (back < window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask


# %% wrong: neighbours_before | TRUE CAUSE: both bugs are repaired, but == of the sentences was changed to >=, so a token sees into sentences with a smaller number before its own
def packed_mask(segments, window):
    T = segments.size(1)
    query = torch.arange(T, device=segments.device)[:, None]
    key = torch.arange(T, device=segments.device)[None, :]
    near = (key <= query) & (key > query - window)
    allowed = segments[:, :, None] >= segments[:, None, :]
    return (allowed & near)[:, None]
