# %% wrong: only_the_direction | TRUE CAUSE: only the direction of back is repaired; back <= window still lets window + 1 tokens be seen
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

# %% wrong: only_the_window | TRUE CAUSE: only the window is repaired; back is still key minus query, so tokens look forward instead of back
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

# %% wrong: absolute_distance | TRUE CAUSE: the direction is "repaired" with the absolute distance, so tokens see the next ones as well as the previous ones
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = (place.unsqueeze(0) - place.unsqueeze(1)).abs()  # (T, T)
    near = back < window
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: window_never_cuts | TRUE CAUSE: turns the sign of the first condition only: with back <= 0 the condition back < window is always true, so the whole past of the sentence is seen
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)  # (T, T)
    near = (back <= 0) & (back < window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: itself_left_out | TRUE CAUSE: the direction is right, but to get `window` tokens the token itself is dropped (back > 0) instead of the farthest one
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row."""
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = (back > 0) & (back <= window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: window_one_too_small | TRUE CAUSE: the direction is right, but the window is repaired twice (< and window - 1), so only window - 1 tokens are seen
def packed_mask(segments, window):
    T = segments.size(1)
    same = segments[:, :, None] == segments[:, None, :]
    place = torch.arange(T, device=segments.device)
    back = place[:, None] - place[None, :]
    near = (back >= 0) & (back < window - 1)
    return (same & near)[:, None]
