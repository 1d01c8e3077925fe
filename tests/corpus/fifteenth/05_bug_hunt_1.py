# %% wrong: sign-only | only the sign of the new cosine is mended; the result is still concatenated, all sines on the left and all cosines on the right, instead of alternating.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.cat([moved_sine, moved_cosine], dim=1)
    return moved

# %% wrong: minus-in-the-other-line | the minus is put into the sine's line instead of the cosine's: lengths are kept, but the hands turn backwards, so the encoding moves by -steps.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved = torch.empty_like(encoding)
    moved[:, 0::2] = sine * turn.cos() - cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() + sine * turn.sin()
    return moved

# %% wrong: stacked-on-the-wrong-axis | the sign is right, but sines and cosines are stacked at dim 1 before the reshape: that lays out all sines first and then all cosines, as before, and does not interleave them.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=1).reshape(encoding.shape)
    return moved

# %% wrong: written-over-the-input | the results are written into encoding itself: the caller's tensor is changed, and since sine is a view of it, the cosine's line reads the sines that have moved already.
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    encoding[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    encoding[:, 1::2] = cosine * turn.cos() - sine * turn.sin()
    return encoding

# %% right: complex-product
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    hands = torch.complex(cosine, sine) * torch.complex(turn.cos(), turn.sin())
    return torch.stack([hands.imag, hands.real], dim=-1).flatten(1)
