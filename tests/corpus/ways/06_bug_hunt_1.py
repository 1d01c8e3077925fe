# %% right: negative_steps
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    ahead = place.unsqueeze(0) - place.unsqueeze(1)  # (T, T): key minus query
    near = (ahead <= 0) & (ahead > -window)
    return (same & near).unsqueeze(1)

# %% right: triangles
def packed_mask(segments, window):
    length = segments.size(1)
    square = torch.ones(length, length, dtype=torch.bool, device=segments.device)
    band = square.tril() & square.triu(1 - window)
    return torch.eq(segments[:, None, :, None], segments[:, None, None, :]) & band


# %% right: own_rows_stacked
def packed_mask(segments, window):
    length = segments.shape[1]
    place = torch.arange(length, device=segments.device)
    rows = [
        (segments == segments[:, q, None]) & (place <= q) & (place > q - window)
        for q in range(length)
    ]
    return torch.stack(rows, dim=1)[:, None]

# %% right: own_band_of_triangles
def packed_mask(segments, window):
    n, t = segments.shape
    everything = torch.ones(t, t, dtype=torch.bool, device=segments.device)
    band = everything.tril() & ~everything.tril(-window)
    query_segment = segments.view(n, 1, t, 1)
    key_segment = segments.view(n, 1, 1, t)
    return torch.logical_and(query_segment.eq(key_segment), band)


# %% right: tenth_own_band_of_ones
def packed_mask(segments, window):
    t = segments.shape[1]
    band = torch.ones(t, t, dtype=torch.bool, device=segments.device).tril().triu(1 - window)
    return (segments[:, None, :, None] == segments[:, None, None, :]) & band

# %% right: tenth_own_query_by_query
def packed_mask(segments, window):
    count, length = segments.shape
    mask = torch.zeros(count, 1, length, length, dtype=torch.bool, device=segments.device)
    for q in range(length):
        first = max(0, q - window + 1)
        mask[:, 0, q, first : q + 1] = segments[:, first : q + 1] == segments[:, q : q + 1]
    return mask


# %% right: eleventh_own_band_of_a_square
def packed_mask(segments, window):
    t = segments.size(1)
    band = torch.ones(t, t, dtype=torch.bool, device=segments.device).tril().triu(1 - window)
    return (segments[:, None, :, None] == segments[:, None, None, :]) & band

# %% right: eleventh_own_loop_over_queries
def packed_mask(segments, window):
    n, t = segments.shape
    mask = torch.zeros(n, 1, t, t, dtype=torch.bool, device=segments.device)
    for query in range(t):
        first = max(0, query + 1 - window)
        keys = slice(first, query + 1)
        mask[:, 0, query, keys] = segments[:, keys] == segments[:, query : query + 1]
    return mask


# %% right: twelfth_own_band
def packed_mask(segments, window):
    t = segments.shape[-1]
    everything = torch.ones(t, t, dtype=torch.bool, device=segments.device)
    band = torch.triu(torch.tril(everything), diagonal=1 - window)
    return band & segments[:, None, :, None].eq(segments[:, None, None, :])
# %% right: twelfth_own_row_by_row
def packed_mask(segments, window):
    n, t = segments.shape
    result = torch.zeros(n, 1, t, t, dtype=torch.bool, device=segments.device)
    for query in range(t):
        first = max(0, query - window + 1)
        seen = slice(first, query + 1)
        result[:, 0, query, seen] = segments[:, seen] == segments[:, query : query + 1]
    return result
