# %% wrong: stacked_in_front_and_reshaped | TRUE CAUSE: the sign is mended, but the two halves are stacked on a new axis 0 and reshaped, which puts all rows of sines before all rows of cosines, so rows and features are mixed up instead of alternating sine and cosine
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine]).reshape(encoding.shape)  # (T, D)
    return moved
# %% wrong: cosine_negated | TRUE CAUSE: the order of the features is mended, but in moved_cosine the minus stands before the wrong product, sine * sin - cosine * cos, which is the negative of the new cosine (seen at 0 steps)
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = sine * turn.sin() - cosine * turn.cos()
    moved = torch.zeros_like(encoding)  # (T, D)
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved
# %% wrong: own_written_over_while_read | TRUE CAUSE: `moved = encoding` is no copy and the new sine is written over the old one before the new cosine reads it, so the cosines are wrong and the caller's encoding is changed in place
def shift(encoding, rate, steps):
    moved = encoding
    for pair, r in enumerate(rate):
        s, c = torch.sin(steps * r), torch.cos(steps * r)
        low, high = 2 * pair, 2 * pair + 1
        moved[:, low] = encoding[:, low] * c + encoding[:, high] * s
        moved[:, high] = encoding[:, high] * c - encoding[:, low] * s
    return moved
# %% wrong: own_complex_turned_backwards | TRUE CAUSE: each pair is read as the complex number sine + i cosine, whose angle falls as the position grows, but it is multiplied by exp(+i turn), so the encodings are moved by -steps
def shift(encoding, rate, steps):
    T, D = encoding.shape
    hands = torch.view_as_complex(encoding.reshape(T, D // 2, 2).contiguous())
    turn = torch.polar(torch.ones_like(rate), steps * rate)
    return torch.view_as_real(hands * turn).reshape(T, D)
