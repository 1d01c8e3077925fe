# %% wrong: cat_left | TRUE CAUSE: only the sign in the cosine was mended; sines and cosines are still put one after the other instead of taking turns
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.cat([moved_sine, moved_cosine], dim=1)  # (T, D)
    return moved


# %% wrong: turned_backwards | TRUE CAUSE: the order is mended, but the minus was put into the sine's line instead of the cosine's, so the hands turn backwards
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() - cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=2).flatten(1)  # (T, D)
    return moved


# %% wrong: cosines_first | TRUE CAUSE: the sign is mended and the features take turns, but each cosine is put before its sine
def shift(encoding, rate, steps):
    a = rate * steps
    pairs = encoding.unflatten(1, (-1, 2))
    s, c = pairs.unbind(-1)
    moved_s = s * torch.cos(a) + c * torch.sin(a)
    moved_c = c * torch.cos(a) - s * torch.sin(a)
    return torch.stack((moved_c, moved_s), dim=-1).flatten(start_dim=1)


# %% wrong: written_into_encoding | TRUE CAUSE: two mistakes: the result is written into the caller's encoding in place, and the cosines are computed from the sines that have already been moved, since sine is a view of the encoding
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    encoding[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    encoding[:, 1::2] = cosine * turn.cos() - sine * turn.sin()
    return encoding
