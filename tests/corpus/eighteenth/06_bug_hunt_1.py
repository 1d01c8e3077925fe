# %% wrong: window-inclusive | The direction is mended, but the window still has window + 1 tokens: q - k <= window allows itself and `window` tokens before it, where the docstring counts "window tokens in all", itself among them, so it must be < window.
def packed_mask(segments, window):
    batch, length = segments.shape
    index = torch.arange(length, device=segments.device)
    q_idx, kv_idx = index.view(1, 1, -1, 1), index.view(1, 1, 1, -1)
    def document_mask():
        return segments.view(batch, 1, length, 1) == segments.view(batch, 1, 1, length)
    causal_mask = q_idx >= kv_idx
    window_mask = q_idx - kv_idx <= window
    return document_mask() & causal_mask & window_mask

# %% wrong: both-sides | The sign of `back` is "mended" by taking its absolute value, so each token sees the tokens before it and just as many after it in its sentence; the docstring allows itself and the tokens before it only.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    distance = (place.unsqueeze(1) - place.unsqueeze(0)).abs()
    near = distance < window
    return (same & near).unsqueeze(1)

# %% wrong: rows-are-keys | The window is counted right, but rows and columns are still mixed up: with indexing="ij" the first grid varies along the rows, which are the queries, and the code takes it for the keys. So a token sees itself and the tokens AFTER it.
def packed_mask(segments, window):
    place = torch.arange(segments.size(1), device=segments.device)
    key, query = torch.meshgrid(place, place, indexing="ij")
    back = query - key
    near = torch.logical_and(back >= 0, back < window)
    same = torch.eq(segments[:, :, None], segments[:, None, :])
    return torch.logical_and(same, near)[:, None]

# %% wrong: not-itself | back > 0 excludes the token itself: each sees the `window` tokens before it and not itself (so the first of a sentence sees nothing at all), where the docstring says itself and the tokens before it, `window` in all.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)
    near = (back > 0) & (back <= window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: earlier-sentences | Both bugs of window and direction are mended, but the comparison of sentences was changed to >=, "this one or an earlier one": the first tokens of a sentence see the last ones of the sentence before, where each token may look only into its own sentence.
def packed_mask(segments, window):
    batch, length = segments.shape
    square = torch.ones(length, length, dtype=torch.bool, device=segments.device)
    band = square.tril() & square.triu(diagonal=1 - window)
    allowed = segments.unsqueeze(-1) >= segments.unsqueeze(-2)
    return (allowed & band).view(batch, 1, length, length)

# %% right: band-matrix
def packed_mask(segments, window):
    length = segments.size(1)
    band = torch.ones(length, length, device=segments.device).tril().triu(1 - window).bool()
    own = segments[:, None, :, None].eq(segments[:, None, None, :])
    return own.logical_and(band)
