# %% wrong: minus_in_the_wrong_line | TRUE CAUSE: the features are interleaved again, but the minus went into the sine's line instead of the cosine's, so every hand is turned backwards, by minus the steps
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() - cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.zeros_like(encoding)  # (T, D)
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved


# %% wrong: stacked_along_the_wrong_axis | TRUE CAUSE: the sign is right, but stacking along dim=1 and flattening still puts all sines left and all cosines right (the same as cat); to alternate them the stack has to be along the last axis
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


# %% wrong: sine_overwritten_before_it_is_read | TRUE CAUSE: sine is a view of moved, so after moved[:, 0::2] is assigned it holds the new sine, and the new cosine is computed with it instead of with the old one
def shift(encoding, rate, steps):
    turn = steps * rate  # (D / 2,)
    moved = encoding.clone()
    sine, cosine = moved[:, 0::2], moved[:, 1::2]
    moved[:, 0::2] = sine * turn.cos() + cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() - sine * turn.sin()
    return moved
