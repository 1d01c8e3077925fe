# %% wrong: window-one-too-wide | Repairs the direction (query minus key) but leaves back <= window: with the token itself, which is 0 back, that makes window + 1 tokens, and the text says `window` tokens in all.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)
    near = (back >= 0) & (back <= window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: distance-without-sign | Takes the distance without its sign: the window then reaches ahead as far as back, so a token sees those after it; it may look only at itself and at tokens before it.
def packed_mask(segments, window):
    place = torch.arange(segments.size(1), device=segments.device)
    gap = (place[:, None] - place[None, :]).abs()
    own = segments[:, None, :, None] == segments[:, None, None, :]
    return own.logical_and(gap < window)

# %% wrong: earlier-sentences-visible | Compares the sentence numbers with >= instead of ==, as if "not a later sentence" were enough: a token at the beginning of a sentence sees the end of the one before, wherever the window reaches it.
def packed_mask(segments, window):
    n, t = segments.shape
    query, key = segments.view(n, 1, t, 1), segments.view(n, 1, 1, t)
    rows = torch.arange(t, device=segments.device).view(t, 1)
    columns = rows.view(1, t)
    in_window = (columns <= rows) & (columns > rows - window)
    return (query >= key) & in_window

# %% wrong: mistral-band-without-itself | Takes the window for the number of earlier tokens and leaves out the diagonal (tril(-1), triu(-window)): a token does not see itself, although the text says that it may look at itself and that it counts.
def packed_mask(segments, window):
    seq_len = segments.shape[-1]
    band = torch.ones(seq_len, seq_len, dtype=torch.bool, device=segments.device)
    band = torch.tril(band, diagonal=-1)
    band = torch.triu(band, diagonal=-window)
    block = segments[:, :, None] == segments[:, None, :]
    return (block & band)[:, None]

# %% wrong: blocks-of-the-first-row | Reads the lengths of the sentences from the first row only and uses these blocks for the whole batch; each row has its own sentences, so every other row is cut at wrong places.
def packed_mask(segments, window):
    counts = torch.unique_consecutive(segments[0], return_counts=True)[1].tolist()
    blocks = [torch.ones(n, n, device=segments.device) for n in counts]
    bias = torch.block_diag(*blocks).tril().triu(1 - window)
    return bias.bool().expand(segments.size(0), 1, -1, -1)

# %% right: mask-mods
def packed_mask(segments, window):
    n, t = segments.shape
    place = torch.arange(t, device=segments.device)
    q_idx, kv_idx = place.view(1, 1, t, 1), place.view(1, 1, 1, t)
    def causal():
        return q_idx >= kv_idx
    def sliding():
        return q_idx - kv_idx < window
    def document():
        return segments.unsqueeze(1).unsqueeze(-1) == segments.unsqueeze(1).unsqueeze(-2)
    return causal() & sliding() & document()

# %% right: band
def packed_mask(segments, window):
    same = segments.unsqueeze(2).eq(segments.unsqueeze(1))
    return same.tril().triu(1 - window).unsqueeze(1)
