# %% wrong: not_itself | TRUE CAUSE: the direction is mended, but the window's off-by-one is mended at the wrong end: back > 0 excludes the token itself while back <= window stays, so each token sees the `window` tokens before it and not itself
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
# %% wrong: both_directions | TRUE CAUSE: the direction is "mended" by taking the absolute distance, so a token sees its neighbors on both sides, also those after it
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
# %% wrong: own_first_row_for_all | TRUE CAUSE: the loop reads the sentence numbers of the first row only (segments[0]) and repeats the result for the whole batch, so other rows get the first row's sentence borders
def packed_mask(segments, window):
    n, t = segments.shape
    numbers = segments[0].tolist()
    table = [
        [numbers[q] == numbers[k] and q - window < k <= q for k in range(t)]
        for q in range(t)
    ]
    one = torch.tensor(table, dtype=torch.bool, device=segments.device)
    return one.repeat(n, 1, 1, 1)
# %% wrong: own_band_too_wide | TRUE CAUSE: triu(-window) keeps `window` diagonals below the main one besides the main one itself, so each token sees window + 1 tokens in all
def packed_mask(segments, window):
    t = segments.shape[-1]
    band = torch.ones(t, t, dtype=torch.bool, device=segments.device).tril().triu(-window)
    own_sentence = segments[:, None, :, None] == segments[:, None, None, :]
    return own_sentence & band
