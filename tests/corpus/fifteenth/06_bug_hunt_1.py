# %% wrong: direction-only | only the direction is mended (by turning the comparisons round); the window still lets window + 1 tokens be seen.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)
    near = (back <= 0) & (back >= -window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: window-without-itself | the direction is right, but the window is mended by excluding the token itself (back > 0): it sees `window` tokens before it and not itself.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)
    near = (back > 0) & (back <= window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: absolute-distance | the direction is "mended" with abs(): tokens after the query, less than a window away, can be seen, too.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = (place.unsqueeze(0) - place.unsqueeze(1)).abs()
    near = back < window
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: sentence-zero-is-padding | both bugs are mended, but segment number 0 is now taken for padding and hidden, although it is the number of a sentence like any other.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    same = same & (segments != 0).unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)
    near = (back >= 0) & (back < window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% right: band-of-the-matrix
def packed_mask(segments, window):
    same = segments[:, :, None] == segments[:, None, :]
    band = torch.ones_like(same).tril().triu(1 - window)
    return (same & band)[:, None]
