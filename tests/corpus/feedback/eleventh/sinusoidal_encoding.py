# %% wrong: two_i_doubled | TRUE CAUSE: even_feature already holds 2i, but rate multiplies it by 2 once more, so the exponent is -4i/d_model and all pairs after the first turn too slowly
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (-2 * even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)
    return encoding

# %% wrong: cosine_from_the_root | TRUE CAUSE: the odd features are computed as sqrt(1 - sin^2) of the angle, which is the absolute value of the cosine, so they are positive wherever the cosine is negative (first at position 2)
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = (1 - paired.sin() ** 2).sqrt()
    return encoding

# %% wrong: own_rates_to_the_very_end | TRUE CAUSE: logspace(0, -4) includes its end, so the rates run from 1 to exactly 1/10000 (exponent i/(D/2 - 1)) instead of 10000^(-2i/d_model), which never reaches 1/10000; all pairs after the first turn too slowly
def sinusoidal_encoding(length, d_model):
    """From 1 down to 1/10000, each rate a fixed factor smaller than the one before."""
    pairs = (d_model + 1) // 2
    rates = torch.logspace(0, -4, pairs, dtype=torch.float64)
    places = torch.arange(length, dtype=torch.float64)
    angles = torch.outer(places, rates)
    both = torch.stack([angles.sin(), angles.cos()], dim=2)
    return both.reshape(length, 2 * pairs)[:, :d_model].float()

# %% wrong: own_turn_the_hands_step_by_step | TRUE CAUSE: the loop overwrites sine before it computes the new cosine, which then uses the sine of the new position instead of the old one, so from position 1 on the hands are not turned rigidly and the values are wrong
def sinusoidal_encoding(length, d_model):
    """All hands start at the right; each step turns them by their rate."""
    rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    turn_sin, turn_cos = rate.sin(), rate.cos()
    sine, cosine = torch.zeros_like(rate), torch.ones_like(rate)
    encoding = torch.zeros(length, d_model)
    for pos in range(length):
        encoding[pos, 0::2] = sine.float()
        encoding[pos, 1::2] = cosine[: d_model // 2].float()
        sine = sine * turn_cos + cosine * turn_sin
        cosine = cosine * turn_cos - sine * turn_sin
    return encoding
