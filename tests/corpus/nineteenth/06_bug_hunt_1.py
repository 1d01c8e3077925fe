# %% wrong: one-too-many | Only the sign is mended: the window still includes a distance of `window`, so each token sees window + 1 tokens, itself and `window` before it; "window tokens in all" counts itself, so the distance must be less than window.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T)
    near = (back >= 0) & (back <= window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask

# %% wrong: looks-ahead | Only the window is mended: the distance is still key minus query, so tokens look at those after them, where rows are queries and must look back, at query minus key.
def packed_mask(segments, window):
    length = segments.size(1)
    query = torch.arange(length, device=segments.device).view(length, 1)
    key = torch.arange(length, device=segments.device).view(1, length)
    distance = key - query
    near = torch.logical_and(distance.ge(0), distance.lt(window))
    same = segments[:, :, None].eq(segments[:, None, :])
    return torch.logical_and(same, near)[:, None]

# %% wrong: both-sides | Takes the absolute distance, so the window reaches to both sides and a token sees later ones, too; it may look only at itself and the tokens before it.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    apart = torch.abs(place.unsqueeze(1) - place.unsqueeze(0))
    near = apart < window
    return (same & near).unsqueeze(1)

# %% wrong: without-itself | Leaves the token itself out of its window and counts `window` tokens before it; a token may look at itself, and it counts among the `window` tokens in all.
def packed_mask(segments, window):
    def allowed(query, key):
        before = key < query
        within = query - key <= window
        return before & within
    place = torch.arange(segments.size(1), device=segments.device)
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    return (same & allowed(place[:, None], place[None, :])).unsqueeze(1)

# %% wrong: band-by-triangles | The sliding window is cut out with triu at the diagonal -window, as in published code for sliding windows, which keeps window + 1 diagonals: one token more than `window` in all; the diagonal has to be 1 - window.
def packed_mask(segments, window):
    batch, seqlen = segments.shape
    band = torch.ones(seqlen, seqlen, dtype=torch.bool, device=segments.device)
    band = torch.tril(band, diagonal=0)
    band = torch.triu(band, diagonal=-window)
    document = segments.view(batch, 1, seqlen, 1) == segments.view(batch, 1, 1, seqlen)
    return document & band

# %% right: band
def packed_mask(segments, window):
    n, t = segments.shape
    band = torch.ones(t, t, dtype=torch.bool, device=segments.device).tril().triu(1 - window)
    return band & (segments.view(n, 1, t, 1) == segments.view(n, 1, 1, t))
