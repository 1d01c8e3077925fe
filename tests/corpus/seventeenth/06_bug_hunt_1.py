# %% wrong: window-left | Mends the sign only. With back <= window a token sees itself and `window` tokens before it, one too many: window counts the token itself.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(1) - place.unsqueeze(0)
    near = (back >= 0) & (back <= window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: sign-left | Mends the window only. back is still the key's position minus the query's, so tokens see those after them, not those before.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)
    near = (back >= 0) & (back < window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: one-comparison-flipped | Sees that back has the wrong sign and flips only its comparison with 0. Of the past, back is negative and always below window, so the window never hides anything.
def packed_mask(segments, window):
    same = segments.unsqueeze(2) == segments.unsqueeze(1)
    place = torch.arange(segments.size(1), device=segments.device)
    back = place.unsqueeze(0) - place.unsqueeze(1)
    near = (back <= 0) & (back < window)
    mask = (same & near).unsqueeze(1)
    return mask

# %% wrong: two-hidden-sense-and-window | Two mistakes. Returns True where a key is hidden (the boolean sense of nn.MultiheadAttention), and hides only what is more than `window` back, so that one token too many is seen.
def packed_mask(segments, window):
    place = torch.arange(segments.size(1), device=segments.device)
    back = place[:, None] - place[None, :]
    hidden = (back < 0) | (back > window)
    other = segments[:, :, None] != segments[:, None, :]
    return (hidden | other).unsqueeze(1)

# %% right: band-of-diagonals
def packed_mask(segments, window):
    length = segments.shape[-1]
    band = torch.ones(length, length, dtype=torch.bool, device=segments.device).tril()
    band = band.triu(diagonal=1 - window)
    same = segments[:, None, :, None] == segments[:, None, None, :]
    return same & band

# %% right: flex-attention-way
def packed_mask(segments, window):
    def mask_mod(q_idx, kv_idx):
        causal = q_idx >= kv_idx
        in_window = q_idx - kv_idx <= window - 1
        same = segments[:, q_idx] == segments[:, kv_idx]
        return causal & in_window & same
    place = torch.arange(segments.size(1), device=segments.device)
    return mask_mod(place.unsqueeze(1), place.unsqueeze(0)).unsqueeze(1)
