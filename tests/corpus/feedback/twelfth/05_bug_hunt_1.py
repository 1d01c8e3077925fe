# %% wrong: stacked_on_the_wrong_axis | TRUE CAUSE: the sign is mended, but the halves are stacked on dim=1 and flattened, which gives all sines and then all cosines as cat did, and not alternating features
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

# %% wrong: minus_in_the_other_line | TRUE CAUSE: the minus is put into the line of the sine and not into that of the cosine, so the hands turn backward, by -steps
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

# %% wrong: own_cosine_from_the_new_sine | TRUE CAUSE: up and across are views of out, so the second line computes the new cosine from the sine that the first line has already overwritten
def shift(encoding, rate, steps):
    out = encoding.clone()
    up, across = out[:, ::2], out[:, 1::2]
    c, s = torch.cos(steps * rate), torch.sin(steps * rate)
    up[:] = up * c + across * s
    across[:] = across * c - up * s
    return out

# %% wrong: own_one_turn_too_few | TRUE CAUSE: the loop runs over range(1, steps), one time too few, so the encodings move by steps - 1
def shift(encoding, rate, steps):
    def one_step(sine, cosine):
        return sine * rate.cos() + cosine * rate.sin(), cosine * rate.cos() - sine * rate.sin()

    pair = encoding[:, 0::2], encoding[:, 1::2]
    for _ in range(1, steps):
        pair = one_step(*pair)
    return torch.stack(pair, dim=-1).reshape(encoding.shape)
