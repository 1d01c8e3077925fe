# %% wrong: d_model_not_in_the_exponent | TRUE CAUSE: without parentheses the power comes before the division: 10000 to the minus 2i, then divided by d_model, so d_model is not in the exponent
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000**-even_feature / d_model
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()  # blank: cosines
    return encoding

# %% wrong: pair_number_without_the_two | TRUE CAUSE: the exponent uses the number of the pair, i, instead of 2i: the rates fall half as fast as they should
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length, dtype=torch.float64)[:, None]
    pair = torch.arange((d_model + 1) // 2, dtype=torch.float64)
    rate = 1 / 10000 ** (pair / d_model)
    angle = position * rate
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return encoding

# %% wrong: each_feature_its_own_angle | TRUE CAUSE: every feature gets a rate of its own, so the cosine at 2i+1 has the exponent (2i+1) / d_model: sine and cosine of a pair do not share one angle
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    feature = torch.arange(d_model, dtype=torch.float64)
    angle = position * 10000 ** (-feature / d_model)  # (T, D)
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle[:, 0::2].sin()
    encoding[:, 1::2] = angle[:, 1::2].cos()
    return encoding

# %% wrong: counts_from_one_and_reaches_10000 | TRUE CAUSE: two mistakes: the positions are 1 to length instead of 0 to length - 1, and the exponent is divided by d_model - 2, so that the last rate is exactly 1/10000, as in other code
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(1, length + 1).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = torch.exp(-even_feature * math.log(10000.0) / max(d_model - 2, 1))
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)  # blank: cosines
    return encoding
