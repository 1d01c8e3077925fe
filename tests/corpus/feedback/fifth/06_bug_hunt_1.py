# %% wrong: does_not_see_itself | TRUE CAUSE: the direction is right, and there are `window` tokens in all, but they are the ones before: back > 0 hides the token itself
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row."""
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = (back > 0) & (back <= window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: one_of_two_signs_turned | TRUE CAUSE: the sign of back stays as it was and only the first comparison is turned: back <= 0 is always below the window, so each token sees its whole sentence before it and the window does nothing
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

# %% wrong: distance_in_both_directions | TRUE CAUSE: the sign is removed with abs instead of being turned: a token sees the tokens after it as well as those before it
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row."""
    same = segments[:, :, None] == segments[:, None, :]  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    distance = (place[:, None] - place[None, :]).abs()  # (T, T)
    return (same & (distance < window))[:, None]  # (N, 1, T, T)

# %% wrong: itself_taken_off_twice | TRUE CAUSE: the direction is right, but back < window - 1 leaves one token too few: back = 0 is the token itself and is counted already, so back < window would be right
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row."""
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = (back >= 0) & (back < window - 1)  # minus the token itself
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask
