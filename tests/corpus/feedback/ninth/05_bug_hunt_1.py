# %% wrong: stacked_on_the_wrong_axis | TRUE CAUSE: the sign was mended, but torch.stack is called with dim=1 before flattening, which still puts all sines on the left and all cosines on the right, instead of dim=2, which alternates them
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

# %% wrong: plus_in_the_cosine_left | TRUE CAUSE: only the order of the features was mended; moved_cosine still adds sine * sin(turn) instead of subtracting it, so the hands do not keep their length
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() + sine * turn.sin()
    moved = torch.zeros_like(encoding)  # (T, D)
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved

# %% wrong: own_complex_turns_backwards | TRUE CAUSE: each pair is read as the complex number sine + i * cosine, whose angle falls as the position grows, and is multiplied by exp(+i * turn) instead of exp(-i * turn), so the encodings move by -steps
def shift(encoding, rate, steps):
    T, D = encoding.shape
    hands = torch.view_as_complex(encoding.reshape(T, D // 2, 2).contiguous())
    turn = steps * rate
    hands = hands * torch.complex(turn.cos(), turn.sin())
    return torch.view_as_real(hands).reshape(T, D)

# %% wrong: own_views_of_the_copy | TRUE CAUSE: s and c are views of the copy out, so when the even features have been written, s already holds the moved sines, and the cosines are computed from these instead of from the old sines
def shift(encoding, rate, steps):
    out = encoding.clone()
    s, c = out[:, ::2], out[:, 1::2]
    cos_b, sin_b = torch.cos(rate * steps), torch.sin(rate * steps)
    out[:, ::2] = s * cos_b + c * sin_b
    out[:, 1::2] = c * cos_b - s * sin_b
    return out
