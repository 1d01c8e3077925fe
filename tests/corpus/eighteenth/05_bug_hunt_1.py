# %% wrong: halves-side-by-side | The sign was mended, but the result is still put together by cat: all sines on the left and all cosines on the right. It has to alternate, sine and cosine of a pair side by side, as the encoding that came in.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.cat([moved_sine, moved_cosine], dim=1)
    return moved

# %% wrong: plus-in-the-cosine | The features alternate now, but the new cosine is still cos a cos b + sin a sin b, which is cos(a - b): it needs a minus, cos(a + b) = cos a cos b - sin a sin b.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved = torch.empty_like(encoding)
    moved[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() + sine * turn.sin()
    return moved

# %% wrong: turned-backwards | The minus sign stands in the line of the sine instead of that of the cosine: sin a cos b - cos a sin b is sin(a - b), and the cosine keeps cos(a - b). The hands turn backwards, and the encodings move by -steps.
def shift(encoding, rate, steps):
    angle = steps * rate
    c, s = torch.cos(angle), torch.sin(angle)
    pairs = encoding.unflatten(1, (-1, 2))
    sine, cosine = pairs.unbind(dim=-1)
    turned = torch.stack([sine * c - cosine * s, sine * s + cosine * c], dim=-1)
    return turned.flatten(1)

# %% wrong: complex-order | Each pair is read as the complex number cosine + i sine and turned rightly, but view_as_real gives the real part first: the result alternates cosine, sine, where sine has to stand at the even and cosine at the odd features.
def shift(encoding, rate, steps):
    hands = torch.complex(encoding[:, 1::2].contiguous(), encoding[:, 0::2].contiguous())
    turn = steps * rate
    hands = hands * torch.polar(torch.ones_like(turn), turn)
    return torch.view_as_real(hands).flatten(1)

# %% wrong: llama-rotate-half | The pairs are taken as feature j of the left half with feature j of the right half, as in Llama's rotate_half, instead of neighbors 2i and 2i + 1. In this encoding the sine and the cosine of one angle stand side by side, so features of different pairs are mixed.
def shift(encoding, rate, steps):
    turn = torch.cat([steps * rate, steps * rate])
    left, right = encoding.chunk(2, dim=1)
    rotated = torch.cat([right, -left], dim=1)
    return encoding * turn.cos() + rotated * turn.sin()

# %% right: rotation-matrices
def shift(encoding, rate, steps):
    turn = steps * rate
    c, s = turn.cos(), turn.sin()
    matrix = torch.stack([torch.stack([c, s], dim=-1), torch.stack([-s, c], dim=-1)], dim=-2)
    pairs = encoding.reshape(encoding.size(0), -1, 2)
    return torch.einsum("pij,tpj->tpi", matrix, pairs).flatten(1)
