# %% wrong: exponent_without_minus | TRUE CAUSE: the minus in the exponent is missing, so the rates grow from pair to pair instead of falling
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()  # blank: cosines
    return encoding


# %% wrong: two_i_doubled | TRUE CAUSE: even_feature is 2i already and is multiplied by 2 again, so the rates fall twice as fast
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
    encoding[:, 0::2] = angle.sin()  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()  # blank: cosines
    return encoding


# %% wrong: positions_from_one | TRUE CAUSE: the positions begin with 1 instead of 0
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(1, length + 1, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()  # blank: cosines
    return encoding


# %% wrong: position_without_axis | TRUE CAUSE: the positions stay a row, (T,), and do not get the axis of length 1: the product lines them up with the rates (an error unless the sizes agree by chance)
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()  # blank: cosines
    return encoding


# %% wrong: sine_and_cosine_swapped | TRUE CAUSE: the even features get the cosines and the odd ones the sines
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64)[:, None]
    rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.cos(angle)
    encoding[:, 1::2] = torch.sin(angle[:, : d_model // 2])
    return encoding


# %% wrong: a_rate_for_each_feature | TRUE CAUSE: every feature has a rate of its own, 10000 ** (-j / d_model), so the cosine does not have the angle of the sine beside it
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    feature = torch.arange(d_model, dtype=torch.float64)
    angle = position / 10000 ** (feature / d_model)  # (T, D)
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle[:, 0::2].sin()
    encoding[:, 1::2] = angle[:, 1::2].cos()
    return encoding


# %% wrong: cosine_of_the_encoding | TRUE CAUSE: the cosines are taken of the sines that were just written, encoding[:, 0::2], instead of the angles
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = torch.pow(10000.0, -even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = encoding[:, 0::2][:, : d_model // 2]
    encoding[:, 1::2] = torch.cos(paired)
    return encoding


# %% wrong: single_precision_angles | TRUE CAUSE: rates and angles are computed in float32, as in much published code, so far from the start their rounding shows
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length).unsqueeze(1)
    rate = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return encoding


# %% wrong: halves_and_double | TRUE CAUSE: two mistakes: all sines stand on the left and all cosines on the right instead of alternating, and the result stays float64
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10000 ** (even_feature / d_model)
    return torch.cat([angle.sin(), angle[:, : d_model // 2].cos()], dim=1)
