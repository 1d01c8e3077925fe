# %% wrong: window_left | TRUE CAUSE: the direction is repaired, the window is not: it still sees window + 1 tokens
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

# %% wrong: direction_left | TRUE CAUSE: the window is repaired, the direction is not: rows and columns are exchanged, so a token looks ahead and not back
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

# %% wrong: distance_without_sign | TRUE CAUSE: the direction is "repaired" by taking the absolute distance: tokens see ahead as well as back
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = (place.unsqueeze(1) - place.unsqueeze(0)).abs()  # (T, T): how far each query looks back
    near = back < window
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: one_too_few | TRUE CAUSE: the window is overcorrected: the token itself is not counted among the window tokens, so one too few is seen
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = (back >= 0) & (back < window - 1)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: not_itself | TRUE CAUSE: the token itself is left out and the window counts the tokens before it only
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = (back > 0) & (back <= window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: repaired_what_was_right | TRUE CAUSE: two mistakes: both bugs are still there (direction and window); instead the axes in `same` were exchanged, which changes nothing since equality is symmetric
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(1) == segments.unsqueeze(2)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)  # (T, T): how far each query looks back
    near = (back >= 0) & (back <= window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: earlier_sentences | TRUE CAUSE: both bugs are repaired, but `same` became <=, so that a token also sees earlier sentences within its window
def packed_mask(segments, window):
    place = torch.arange(segments.size(1), device=segments.device)
    back = place[:, None] - place[None, :]
    near = (0 <= back) & (back < window)
    same = segments[:, None, :] <= segments[:, :, None]
    return (same & near)[:, None]
