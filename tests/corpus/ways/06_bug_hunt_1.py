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
