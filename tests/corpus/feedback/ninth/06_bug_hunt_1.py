# %% wrong: window_one_too_long | TRUE CAUSE: only the sign of `back` is mended; `back <= window` is left, so a token sees window + 1 tokens in all instead of window.
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

# %% wrong: itself_left_out | TRUE CAUSE: the count of tokens is mended at the wrong end (`back > 0` instead of `back < window`), so a token sees the window tokens before it but not itself.
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

# %% wrong: own_negative_places | TRUE CAUSE: the range of keys starts at query - window + 1 without a lower bound of 0, so for the first queries the places are negative and Python counts them from the end: they see the row's last tokens if these have the same segment number.
def packed_mask(segments, window):
    N, T = segments.shape
    mask = torch.zeros(N, 1, T, T, dtype=torch.bool, device=segments.device)
    for query in range(T):
        for key in range(query - window + 1, query + 1):
            mask[:, 0, query, key] = segments[:, query] == segments[:, key]
    return mask

# %% wrong: own_rows_stacked_as_columns | TRUE CAUSE: the rows, one for each query, are stacked along the last axis (`dim=-1`) instead of dim=1, so queries and keys are exchanged and each token sees the tokens after it.
def packed_mask(segments, window):
    place = torch.arange(segments.shape[1], device=segments.device)
    rows = []
    for q in range(segments.shape[1]):
        own_sentence = segments == segments[:, q : q + 1]
        in_window = (place <= q) & (place > q - window)
        rows.append(own_sentence & in_window)
    return torch.stack(rows, dim=-1).unsqueeze(1)
