# %% wrong: minus_in_the_wrong_line | The minus sign is put into the line of the sine instead of that of the cosine: the hands keep their length, but turn backwards, to pos - steps. (The arrangement is repaired.)
def shift(encoding, rate, steps):
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved = torch.zeros_like(encoding)  # (T, D)
    moved[:, 0::2] = sine * turn.cos() - cosine * turn.sin()
    moved[:, 1::2] = cosine * turn.cos() + sine * turn.sin()
    return moved
# %% wrong: stacked_along_the_wrong_axis | The sign is repaired, but the pairs are stacked along dim=1 and then flattened, which is the same as cat: all sines on the left, all cosines on the right. They alternate only if stacked along the last axis.
def shift(encoding, rate, steps):
    turn = steps * rate  # (D / 2,)
    sine, cosine = encoding[:, 0::2], encoding[:, 1::2]  # (T, D / 2)
    moved_sine = sine * turn.cos() + cosine * turn.sin()
    moved_cosine = cosine * turn.cos() - sine * turn.sin()
    moved = torch.stack([moved_sine, moved_cosine], dim=1).flatten(1)  # (T, D)
    return moved
# %% wrong: own_writes_into_the_input | `result = encoding` is no copy: the new sines are written into the caller's tensor, and the view `s` changes with it, so the cosines are then computed from sines that have already moved.
def shift(encoding, rate, steps):
    c_turn, s_turn = torch.cos(steps * rate), torch.sin(steps * rate)
    result = encoding
    s, c = encoding[:, ::2], encoding[:, 1::2]
    result[:, ::2] = s * c_turn + c * s_turn
    result[:, 1::2] = c * c_turn - s * s_turn
    return result
# %% wrong: own_angle_from_the_sine_alone | The angle is read from the sine alone with asin, which cannot tell a hand on the way up from one on the way down (the cosine is ignored): every hand that points to the left is moved from the wrong place.
def shift(encoding, rate, steps):
    angle = torch.asin(encoding[:, 0::2])  # (T, D / 2)
    angle = angle + rate * steps
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(start_dim=1)
