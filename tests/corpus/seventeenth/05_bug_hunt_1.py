# %% wrong: only-sign | The sign in the cosine is mended (minus), but sines and cosines still stand in two halves instead of alternating as in the encoding that came in.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.cat([moved_sine, moved_cosine], dim=1)
    return moved

# %% wrong: minus-in-the-sine | The minus is put into the new sine instead of the new cosine, which keeps the lengths but turns the hands backwards, by -steps.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved = torch.empty_like(encoding)
    moved[:, 0::2] = sine * turn.cos() - cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() + sine * turn.sin()
    return moved

# %% wrong: cosines-first | The pairs alternate again, but with the cosine first, so even features hold cosines and odd ones sines.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    angle = torch.atan2(sine, cosine) + turn
    pairs = torch.stack((torch.cos(angle), torch.sin(angle)), dim=-1)
    return pairs.reshape(encoding.shape)

# %% wrong: complex-multiplied-forward | Each pair (sin, cos) is read as the complex number sin + i cos, and multiplied by e^(i turn); but sin a + i cos a turns clockwise with a, so this moves the encoding backwards (cos + i sin was meant).
def shift(encoding, rate, steps):
    turn = steps * rate
    pairs = encoding.reshape(encoding.size(0), -1, 2).contiguous()
    hands = torch.view_as_complex(pairs)
    rotation = torch.polar(torch.ones_like(turn), turn).to(hands.dtype)
    return torch.view_as_real(hands * rotation).flatten(1)

# %% wrong: llama-rotate-half | Feature j is paired with feature j + D/2, as in Llama's rotate_half, but here the pairs are neighbors, 2i and 2i + 1, so features of different pairs are mixed.
def shift(encoding, rate, steps):
    def rotate_half(x):
        x1 = x[..., : x.shape[-1] // 2]
        x2 = x[..., x.shape[-1] // 2 :]
        return torch.cat((x2, -x1), dim=-1)
    freqs = steps * rate
    emb = torch.cat((freqs, freqs), dim=-1)
    return encoding * emb.cos() + rotate_half(encoding) * emb.sin()

# %% wrong: stacked-on-the-wrong-axis | Two mistakes. Sines and cosines are stacked on axis 1 before they are flattened, which puts them in two halves as before; and the sine has got the minus, so it moves backwards.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    new_sine = sine * turn.cos() - cosine * turn.sin()
    new_cosine = cosine * turn.cos() + sine * turn.sin()
    return torch.stack((new_sine, new_cosine), dim=1).flatten(1)

# %% right: matrices
def shift(encoding, rate, steps):
    turn = steps * rate
    c, s = turn.cos(), turn.sin()
    rotation = torch.stack((torch.stack((c, s), -1), torch.stack((-s, c), -1)), -2)
    pairs = encoding.unflatten(1, (-1, 2))
    return torch.einsum("tpj,pij->tpi", pairs, rotation.to(pairs.dtype)).flatten(1)

# %% right: repeat-interleave
def shift(encoding, rate, steps):
    angle = (steps * rate).repeat_interleave(2)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    partner = torch.stack((cosine, -sine), dim=-1).flatten(-2)
    return encoding * angle.cos() + partner * angle.sin()
