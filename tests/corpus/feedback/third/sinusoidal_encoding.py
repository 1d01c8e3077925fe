# %% wrong: positions_from_one | TRUE CAUSE: counts the positions from 1 to length, as the table of the example does, instead of from 0
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

# %% wrong: rate_grows | TRUE CAUSE: the exponent's minus is missing (the rate is 10000^(2i/d), not one over it), so later pairs turn faster instead of slower
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)  # blank: cosines
    return encoding

# %% wrong: exponent_doubled | TRUE CAUSE: takes even_feature for i and doubles it once more, so the exponent is 4i/d_model and the rates fall twice as fast
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** (2 * even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)  # blank: cosines
    return encoding

# %% wrong: power_before_division | TRUE CAUSE: 10000 ** -even_feature / d_model raises to the power first and divides the result by d_model: parentheses around the exponent are missing
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** -even_feature / d_model
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()  # blank: cosines
    return encoding

# %% wrong: last_angle_not_left_out | TRUE CAUSE: the cosines are taken of angle and not of paired, so an odd d_model has one cosine too many for its columns
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length).unsqueeze(1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    rate = torch.exp(-math.log(10000) * even_feature / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding

# %% wrong: sines_left_cosines_right | TRUE CAUSE: lays all sines to the left and all cosines to the right with torch.cat, instead of letting sine and cosine alternate
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10000 ** (even_feature / d_model)
    encoding = torch.cat([angle.sin(), angle[:, : d_model // 2].cos()], dim=1)
    return encoding.float()

# %% wrong: single_precision_angles | TRUE CAUSE: rate and angle are calculated in float32 instead of double precision, so the angles far from the start are rounded visibly
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length, dtype=torch.float32).unsqueeze(1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float32)
    rate = torch.exp(even_feature * (-math.log(10000.0) / d_model))
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return encoding

# %% wrong: result_stays_double | TRUE CAUSE: the result is never brought back to float32: it is assembled from the float64 angles and stays float64
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = torch.outer(position, 10000 ** (-even_feature / d_model))
    pairs = torch.stack([angle.sin(), angle.cos()], dim=-1)  # (T, D/2, 2)
    return pairs.flatten(1)[:, :d_model]

# %% wrong: sin_cos_swapped_and_half_exponent | TRUE CAUSE: two mistakes: sines and cosines are swapped (cosine in the even features), and the exponent is i/d_model because even_feature is halved
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)
    i = even_feature / 2
    rate = 1 / 10000 ** (i / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.cos(angle)
    paired = angle[:, : d_model // 2]
    encoding[:, 1::2] = torch.sin(paired)
    return encoding
