# %% wrong: only_one_comparison_turned | TRUE CAUSE: back is still key minus query; turning only the first comparison (back <= 0) hides the future, but back < window is then always true, so the window limits nothing
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


# %% wrong: itself_left_out_of_the_window | TRUE CAUSE: the direction is fixed, but the window of too many tokens is shortened at the wrong end: back > 0 leaves out the token itself, and the farthest one that should be hidden is still seen
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


# %% wrong: axes_of_same_swapped_instead | TRUE CAUSE: the window is fixed, but the axes were swapped in same, which is symmetric and was right, instead of in back, so tokens still look ahead and not back
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row."""
    same = segments.unsqueeze(1) == segments.unsqueeze(2)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)  # (T, T)
    near = (back >= 0) & (back < window)
    return (same & near).unsqueeze(1)
