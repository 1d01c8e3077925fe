# %% wrong: minus_in_the_other_line | TRUE CAUSE: the features are interleaved again, but the minus is put into moved_sine while moved_cosine keeps its plus, so the hands turn backward by the steps instead of forward
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

# %% wrong: moved_is_the_input | TRUE CAUSE: moved = encoding is no copy, so writing the moved features into it overwrites the caller's encoding (the returned numbers are right)
def shift(encoding, rate, steps):
    """Move sinusoidal encodings, (T, D), by `steps`, without being told where they are.

    rate, (D / 2,), holds the angle by which each pair of features turns in one step.
    """
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = encoding  # (T, D)
    moved[:, 0::2] = moved_sine
    moved[:, 1::2] = moved_cosine
    return moved

# %% wrong: own_complex_hands_cosine_first | TRUE CAUSE: the hands are turned rightly as complex numbers cos + i sin, but view_as_real gives (real, imaginary) = (cosine, sine), so in the result each pair has its cosine at the even feature and its sine at the odd one
def shift(encoding, rate, steps):
    """A hand is a complex number: its width is the real part, its height the imaginary one."""
    hands = torch.complex(encoding[:, 1::2].contiguous(), encoding[:, 0::2].contiguous())
    turn = torch.polar(torch.ones_like(rate), steps * rate)
    return torch.view_as_real(hands * turn).flatten(1)

# %% wrong: own_angle_from_the_sine_alone | TRUE CAUSE: the angle of each hand is recovered by asin of the sine without looking at the cosine, which is right only where the cosine is not negative, so hands that point left are mirrored to the right before they are turned (already after 0 steps)
def shift(encoding, rate, steps):
    """Read the angle, add the turn, and write the pair again."""
    moved = torch.empty_like(encoding)
    for pair in range(encoding.size(1) // 2):
        angle = torch.asin(encoding[:, 2 * pair].clamp(-1, 1))
        new_angle = angle + steps * rate[pair]
        moved[:, 2 * pair] = torch.sin(new_angle)
        moved[:, 2 * pair + 1] = torch.cos(new_angle)
    return moved
