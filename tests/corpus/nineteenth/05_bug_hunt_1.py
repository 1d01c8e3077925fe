# %% wrong: only-the-sign | The minus in the new cosine is mended, but the results are still laid side by side in two halves: sines and cosines have to alternate as in the input.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.cat([moved_sine, moved_cosine], dim=1)
    return moved

# %% wrong: minus-in-the-sine | The features alternate again, but the minus went into the line of the sine instead of that of the cosine: the hands are turned backwards, by -steps.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * turn.cos() - cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=2).flatten(1)
    return moved

# %% wrong: overwrites-its-input | Both bugs are mended, but the moved features are written into `encoding` itself: the caller's tensor is changed in place (lesson 00: a part changes nothing in place).
def shift(encoding, rate, steps):
    cos, sin = torch.cos(steps * rate), torch.sin(steps * rate)
    sine, cosine = encoding[:, 0::2].clone(), encoding[:, 1::2].clone()
    encoding[:, 0::2] = sine * cos + cosine * sin
    encoding[:, 1::2] = cosine * cos - sine * sin
    return encoding

# %% wrong: rotate-half | In the manner of Llama in Hugging Face: feature j is paired with feature j + D/2, as if all sines stood left and all cosines right. Here a pair are the neighbors 2i and 2i + 1.
def shift(encoding, rate, steps):
    def rotate_half(x):
        x1, x2 = x.chunk(2, dim=-1)
        return torch.cat((x2, -x1), dim=-1)
    freqs = steps * rate
    emb = torch.cat((freqs, freqs), dim=-1)
    return encoding * emb.cos() + rotate_half(encoding) * emb.sin()

# %% wrong: complex-turned-the-wrong-way | In the manner of Llama's complex rotation: the pair (sine, cosine) is taken as sine + i cosine and multiplied by exp(+i turn). As the sine is the real part here, that turns backwards, by -steps; it has to be exp(-i turn).
def shift(encoding, rate, steps):
    angles = steps * rate
    freqs_cis = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(encoding.reshape(len(encoding), -1, 2).contiguous())
    return torch.view_as_real(pairs * freqs_cis).flatten(1).type_as(encoding)

# %% right: matrices-of-rotation
def shift(encoding, rate, steps):
    b = rate * steps
    turning = torch.stack([b.cos(), b.sin(), -b.sin(), b.cos()], dim=-1).view(-1, 2, 2)
    hands = encoding.unflatten(1, (-1, 2))
    return torch.einsum("poi,tpi->tpo", turning, hands).flatten(1)
