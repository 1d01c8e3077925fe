# %% wrong: only_the_sign | TRUE CAUSE: only the sign in moved_cosine is repaired; sines and cosines are still laid side by side in halves instead of alternating
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

# %% wrong: only_the_order | TRUE CAUSE: only the order of the features is repaired; moved_cosine still adds sine times sin instead of subtracting it
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.zeros_like(encoding)
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved

# %% wrong: turned_backwards | TRUE CAUSE: the minus is put into moved_sine instead of moved_cosine, so the hands turn backwards: it moves by minus steps
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

# %% wrong: stacked_on_wrong_axis | TRUE CAUSE: the sign is right, but the interleaving stacks on axis 1 before flattening, which again puts all sines before all cosines
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=1).reshape(encoding.shape)  # (T, D)
    return moved

# %% wrong: reads_halves_instead | TRUE CAUSE: makes reading fit writing the wrong way round: takes the left half for sines and the right half for cosines, but in this course's encoding they alternate
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding.chunk(2, dim=1)  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.cat([moved_sine, moved_cosine], dim=1)  # (T, D)
    return moved

# %% wrong: writes_into_the_input | TRUE CAUSE: writes the moved sines into encoding itself, of which sine is a view: the new cosine is made of the already moved sine, and the caller's tensor is changed
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are."""
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved = encoding
    moved[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() - sine * turn.sin()
    return moved
