# %% right: fourteenth_own_band_of_a_square
def packed_mask(segments, window):
    t = segments.size(1)
    square = torch.ones(t, t, dtype=torch.bool, device=segments.device)
    band = square.tril().triu(1 - window)  # itself and window - 1 before it
    same = segments[:, None, :, None].eq(segments[:, None, None, :])
    return torch.logical_and(same, band)
# %% right: own_rows_stacked
def packed_mask(segments, window):
    length = segments.shape[1]
    place = torch.arange(length, device=segments.device)
    rows = [
        (segments == segments[:, q, None]) & (place <= q) & (place > q - window)
        for q in range(length)
    ]
    return torch.stack(rows, dim=1)[:, None]
