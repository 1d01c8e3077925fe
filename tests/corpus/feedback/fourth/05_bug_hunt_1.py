# %% wrong: only_sign_fixed | TRUE CAUSE: the minus is there, but sines and cosines are still laid side by side in halves instead of alternating
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


# %% wrong: only_order_fixed | TRUE CAUSE: sines and cosines alternate, but the cosine still has a plus instead of a minus, so the hands do not keep their length
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=-1).flatten(1)  # (T, D)
    return moved


# %% wrong: minus_in_the_other_line | TRUE CAUSE: the minus was put into the sine instead of the cosine: the hands turn backwards
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


# %% wrong: minus_turned_round | TRUE CAUSE: the terms of the cosine are subtracted the wrong way round, sin sin minus cos cos, so the cosines have the wrong sign
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = sine * turn.sin() - cosine * turn.cos()
    moved = torch.stack([moved_sine, moved_cosine], dim=-1).flatten(1)  # (T, D)
    return moved


# %% wrong: stacked_on_the_wrong_axis | TRUE CAUSE: the two are stacked along axis 1 and then flattened, which gives halves again; the axis of the pair has to be last
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


# %% wrong: written_into_the_views | TRUE CAUSE: the result is written into the slices, which are views of the caller's encoding: the input is changed, and the cosine is computed from the sine that has moved already
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved = encoding
    moved[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() - sine * turn.sin()
    return moved


# %% wrong: halves_read_and_plus_left | TRUE CAUSE: two mistakes: the encoding is read as halves (sines left, cosines right) so that it fits the cat, instead of alternating, and the plus in the cosine is left
def shift(encoding, rate, steps):
    turn = steps * rate
    sine, cosine = encoding.chunk(2, dim=1)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    return torch.cat([moved_sine, moved_cosine], dim=1)
