# %% wrong: window_besides_itself | The direction is repaired, but the window is read as that many tokens before it besides itself: back runs from 0 to window, which are window + 1 tokens in all.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    ahead = place.unsqueeze(0) - place.unsqueeze(1)  # (T, T): how far ahead each key is
    near = (ahead <= 0) & (ahead >= -window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask
# %% wrong: token_cannot_see_itself | The direction is repaired, but the one token too many is removed at the wrong end: back > 0 hides the token from itself and keeps the one that is `window` steps back.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)  # (N, T, T)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)  # (T, T): how far each query looks back
    near = (back > 0) & (back <= window)
    mask = (same & near).unsqueeze(1)  # (N, 1, T, T)
    return mask
# %% wrong: own_window_on_both_sides | The sign trouble is solved with abs(): the window then reaches to both sides, and a token sees up to window - 1 tokens of its future in its sentence.
def packed_mask(segments, window):
    place = torch.arange(segments.shape[1], device=segments.device)
    apart = (place[:, None] - place).abs()
    same = segments[:, None, :, None] == segments[:, None, None, :]
    return same & (apart < window)
# %% wrong: own_blocks_instead_of_a_sliding_window | The row is cut into fixed blocks of `window` places (place // window), and a token sees only what is in its block; the window should slide along with the token.
def packed_mask(segments, window):
    t = segments.size(1)
    block = torch.arange(t, device=segments.device) // window
    past = torch.ones(t, t, dtype=torch.bool, device=segments.device).tril()
    near = past & (block[:, None] == block[None, :])
    same = segments[:, :, None].eq(segments[:, None, :])
    return (near & same)[:, None]
