# %% wrong: still-side-by-side | Only the sign of the moved cosine was mended; the sines still stand on the left and the cosines on the right (cat) instead of alternating, so already 0 steps change the encoding.
def shift(encoding, rate, steps):
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.cat([moved_sine, moved_cosine], dim=1)  # (T, D)
    return moved

# %% wrong: cosine-negated | The difference in the moved cosine is the wrong way round: sin sin minus cos cos instead of cos cos minus sin sin; so every cosine changes its sign, already after 0 steps.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved = torch.empty_like(encoding)
    moved[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    moved[:, 1::2] = sine * turn.sin() - cosine * turn.cos()
    return moved

# %% wrong: stacked-on-the-wrong-axis | The two are stacked along dim=1 and flattened, which lays all sines before all cosines again; to alternate, the new axis must be the last one.
def shift(encoding, rate, steps):
    turn = rate.mul(steps)
    c, s = torch.cos(turn), torch.sin(turn)
    sine, cosine = encoding[:, ::2], encoding[:, 1::2]
    parts = [sine * c + cosine * s, cosine * c - sine * s]
    return torch.stack(parts, dim=1).flatten(start_dim=1)

# %% wrong: reads-what-it-has-written | The sines are overwritten in a copy before the cosines are computed from the same copy; so the moved cosine is made with the already moved sine instead of the old one.
def shift(encoding, rate, steps):
    angle = steps * rate
    moved = encoding.clone()
    sine, cosine = moved[:, 0::2], moved[:, 1::2]
    moved[:, 0::2] = sine * angle.cos() + cosine * angle.sin()
    moved[:, 1::2] = cosine * angle.cos() - sine * angle.sin()
    return moved

# %% wrong: llama-turned-backwards | Each pair is made a complex number with the sine as its real part and multiplied by e^(i turn); as the sine, not the cosine, is the real part, this turns the hand the other way, and the positions move back by the steps instead of on.
def shift(encoding, rate, steps):
    pairs = torch.view_as_complex(encoding.reshape(encoding.size(0), -1, 2))
    turn = (steps * rate).to(encoding.dtype)
    freqs_cis = torch.polar(torch.ones_like(turn), turn)
    return torch.view_as_real(pairs * freqs_cis).flatten(1)

# %% wrong: hf-rotate-half | Two mistakes. (1) It pairs feature j with feature j + D/2 (rotate_half) although here a pair is two neighbors, 2i and 2i + 1. (2) It adds rotate_half with the sign that turns the sine-first pair backwards, so the steps are taken in the wrong direction.
def shift(encoding, rate, steps):
    def rotate_half(x):
        x1, x2 = x.chunk(2, dim=-1)
        return torch.cat((-x2, x1), dim=-1)
    turn = steps * rate
    emb = torch.cat((turn, turn), dim=-1)
    return encoding * emb.cos() + rotate_half(encoding) * emb.sin()

# %% right: one-small-matrix-per-pair
def shift(encoding, rate, steps):
    turn = steps * rate
    c, s = (f(turn).to(encoding.dtype) for f in (torch.cos, torch.sin))
    turning = torch.stack([torch.stack([c, s], dim=-1), torch.stack([-s, c], dim=-1)], dim=-2)
    pairs = encoding.reshape(encoding.shape[0], -1, 2)  # (T, D / 2, 2)
    moved = torch.einsum("pij,tpj->tpi", turning, pairs)
    return moved.reshape(encoding.shape)
