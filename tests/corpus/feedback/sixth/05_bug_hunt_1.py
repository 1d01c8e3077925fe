# %% wrong: stacked_along_axis_1 | TRUE CAUSE: the sign is repaired, but the two are stacked along dim=1 and flattened, which is the same as torch.cat: sines left, cosines right, not alternating (it had to be dim=-1)
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=1).flatten(1)  # (T, D)
    return moved


# %% wrong: writes_into_the_encoding | TRUE CAUSE: both bugs are repaired, but the moved features are written into the encoding that was passed in, which changes the caller's tensor in place
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    encoding[:, 0::2] = moved_sine
    encoding[:, 1::2] = moved_cosine
    return encoding


# %% wrong: minus_in_the_other_line | TRUE CAUSE: the minus was put into the line of the sine instead of that of the cosine, so the hands turn backward, by minus the steps
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved = torch.zeros_like(encoding)
    moved[:, 0::2] = sine * turn.cos() - cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() + sine * turn.sin()
    return moved
