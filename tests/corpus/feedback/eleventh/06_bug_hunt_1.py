# %% wrong: window_without_itself | TRUE CAUSE: the direction of `back` is mended, but the window is mended by `back > 0` instead of `back < window`, so a token does not see itself, and sees the `window` tokens before it
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

# %% wrong: distance_both_ways | TRUE CAUSE: the window is mended, but the direction of `back` is "mended" by abs(), so a token also sees the window - 1 tokens after it
def packed_mask(segments, window):
    """Say who may look where when several sentences share one row.

    segments, (N, T), holds the number of each token's sentence. A token may look at itself and
    at the tokens before it, `window` tokens in all, and only in its own sentence. (N, 1, T, T)
    """
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = (place.unsqueeze(0) - place.unsqueeze(1)).abs()  # (T, T)
    near = (back >= 0) & (back < window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: own_loop_first_row_only | TRUE CAUSE: the loop compares the sentence numbers of row 0 only (segments[0, ...]) and writes the result to all N rows, so every other row gets the mask of the first
def packed_mask(segments, window):
    n, t = segments.shape
    mask = torch.zeros(n, 1, t, t, dtype=torch.bool, device=segments.device)
    for query in range(t):
        for key in range(max(0, query - window + 1), query + 1):
            mask[:, 0, query, key] = segments[0, query] == segments[0, key]
    return mask

# %% wrong: own_band_earlier_sentences | TRUE CAUSE: the sentence numbers are compared with >= instead of ==, so a token also sees tokens of earlier sentences (with smaller numbers) that lie inside its window
def packed_mask(segments, window):
    t = segments.size(1)
    band = torch.ones(t, t, dtype=torch.bool, device=segments.device).tril().triu(1 - window)
    own_sentence = segments[:, None, :, None] >= segments[:, None, None, :]
    return own_sentence & band
