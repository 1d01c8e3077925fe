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
