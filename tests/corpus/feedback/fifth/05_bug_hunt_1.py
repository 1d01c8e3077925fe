# %% wrong: minus_in_the_sine | TRUE CAUSE: the minus was put into the line of the sine instead of that of the cosine: the hands turn backward, by minus the steps
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are."""
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() - cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.zeros_like(encoding)
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved

# %% wrong: stacked_on_the_wrong_axis | TRUE CAUSE: stack along dim 1 and flatten gives all sines first and then all cosines, just as cat did: the features do not alternate
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

# %% wrong: writes_into_its_input | TRUE CAUSE: the moved features are written into the encoding that was passed in: the result is right, but the caller's tensor has changed
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are."""
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = encoding
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved

# %% wrong: cosine_from_the_moved_sine | TRUE CAUSE: sine is a view of the copy and has been overwritten when the cosine is computed: the moved cosine is made of the already moved sine
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are."""
    turn = steps * rate  # (D / 2,)
    moved = encoding.clone()
    sine, cosine = moved[:, 0::2], moved[:, 1::2]  # (T, D / 2)
    moved[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() - sine * turn.sin()
    return moved
