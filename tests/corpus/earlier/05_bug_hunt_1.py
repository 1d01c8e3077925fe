# %% wrong: own_partner_in_the_other_half | The partner of each feature is taken from the other half of the features, as where all sines stand on the left; here the features alternate, and the partner is the neighbour. Right for D = 2 only.
def shift(encoding, rate, steps):
    turn = (steps * rate).repeat_interleave(2)  # (D,), the same angle for both of a pair
    left, right = encoding.chunk(2, dim=1)
    partner = torch.cat([right, -left], dim=1)
    return encoding * turn.cos() + partner * turn.sin()

# %% wrong: own_one_turn_too_few | the loop runs over range(1, steps), one time too few, so the encodings move by steps - 1
def shift(encoding, rate, steps):
    def one_step(sine, cosine):
        return sine * rate.cos() + cosine * rate.sin(), cosine * rate.cos() - sine * rate.sin()
    pair = encoding[:, 0::2], encoding[:, 1::2]
    for _ in range(1, steps):
        pair = one_step(*pair)
    return torch.stack(pair, dim=-1).reshape(encoding.shape)

# %% wrong: own_angle_from_the_sine_alone | The angle is read from the sine alone with asin, which cannot tell a hand on the way up from one on the way down (the cosine is ignored): every hand that points to the left is moved from the wrong place.
def shift(encoding, rate, steps):
    angle = torch.asin(encoding[:, 0::2])  # (T, D / 2)
    angle = angle + rate * steps
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(start_dim=1)
