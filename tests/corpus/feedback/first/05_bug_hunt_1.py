# %% wrong: halves_left | TRUE CAUSE: the sign is repaired, but the moved sines and cosines are still put one after the other instead of in turns
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


# %% wrong: turned_back | TRUE CAUSE: the features take turns now, but the minus was put into the sine's line instead of the cosine's, so the hands turn backwards
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() - cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=-1).flatten(1)  # (T, D)
    return moved


# %% wrong: writes_into_encoding | TRUE CAUSE: both bugs are repaired, but the result is written into the encoding that was given, which changes it for the caller
def shift(encoding, rate, steps):
    turn = steps * rate
    s, c = turn.sin(), turn.cos()
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * c + cosine * s
    moved_cosine = cosine * c - sine * s
    encoding[:, 0::2] = moved_sine
    encoding[:, 1::2] = moved_cosine
    return encoding
