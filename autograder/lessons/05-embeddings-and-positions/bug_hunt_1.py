def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=-1).flatten(1)  # (T, D)
    return moved
