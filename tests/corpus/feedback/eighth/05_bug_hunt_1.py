# %% wrong: minus_on_the_wrong_line | TRUE CAUSE: the missing minus is put into the sine's line instead of the cosine's, so the hands turn backward by `steps` (the features alternate rightly).
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


# %% wrong: stacks_on_axis_one | TRUE CAUSE: the sign is fixed, but the parts are stacked on dim=1 before flattening, which gives all sines and then all cosines as before, not alternating features (dim=-1 was needed).
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


# %% wrong: overwrites_the_argument | TRUE CAUSE: both bugs are repaired, but `moved` is the argument itself and not a copy, so the caller's encoding is overwritten.
def shift(encoding, rate, steps):
    turn = steps * rate
    sin_turn, cos_turn = torch.sin(turn), torch.cos(turn)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]
    moved_sine = sine * cos_turn + cosine * sin_turn
    moved_cosine = cosine * cos_turn - sine * sin_turn
    moved = encoding
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved
