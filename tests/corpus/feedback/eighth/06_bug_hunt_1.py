# %% wrong: window_lost | TRUE CAUSE: the direction is repaired by turning the comparison (back <= 0), but the window is still compared with the positive side, where back < window is always true, so that the window limits nothing.
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


# %% wrong: window_without_itself | TRUE CAUSE: the direction is repaired, but the window's size is repaired at the wrong end: back > 0 takes the token itself away and leaves the `window` tokens before it.
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


# %% wrong: one_token_too_many | TRUE CAUSE: only the direction is repaired; the student took the order of the comparison in `same` for the second bug (exchanging it changes nothing), and back <= window still lets window + 1 tokens be seen.
def packed_mask(segments, window):
    same = segments.unsqueeze(1) == segments.unsqueeze(2)
    place = torch.arange(segments.size(1), device=segments.device)
    query, key = place[:, None], place[None, :]
    back = query - key
    near = (back >= 0) & (back <= window)
    return (same & near).unsqueeze(1)
