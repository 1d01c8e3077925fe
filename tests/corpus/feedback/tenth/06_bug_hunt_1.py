# %% wrong: window_one_too_large | TRUE CAUSE: only the direction is mended; `back <= window` is left, so a token sees itself and window more, window + 1 in all
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

# %% wrong: self_dropped | TRUE CAUSE: the window is made one smaller at the wrong end, `back > 0` instead of `back < window`, so a token sees the window tokens before it and not itself
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

# %% wrong: own_slices_per_query | TRUE CAUSE: the start of the slice, q - window + 1, is not kept at 0 or above, so for the first window - 1 tokens it is negative, counts from the end, and their rows are empty (or, in rows no longer than the window, cut off at the left)
def packed_mask(segments, window):
    N, T = segments.shape
    near = torch.zeros(T, T, dtype=torch.bool, device=segments.device)
    for q in range(T):
        near[q, q - window + 1 : q + 1] = True
    same = segments[:, :, None] == segments[:, None, :]
    return (near & same)[:, None]

# %% wrong: own_blocks | TRUE CAUSE: the window is read as fixed blocks of window tokens (place // window), so the first token of each block does not see the ones before it, instead of a window that slides along with each token
def packed_mask(segments, window):
    i = torch.arange(segments.shape[1], device=segments.device)
    block = torch.div(i, window, rounding_mode="floor")
    in_window = block[:, None] == block[None, :]
    not_future = i[:, None] >= i[None, :]
    in_sentence = segments[:, None, :, None] == segments[:, None, None, :]
    return in_sentence & in_window & not_future
