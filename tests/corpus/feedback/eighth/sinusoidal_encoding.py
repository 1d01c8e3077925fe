# %% wrong: exponent_doubled | TRUE CAUSE: the exponent is doubled: even_feature is 2i already, and the student multiplies it by 2 again, so that all rates after the first fall too fast.
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** (2 * even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()
    return encoding


# %% wrong: cosine_has_rate_of_its_own | TRUE CAUSE: each feature j has the rate 10000^(-j/d_model) of its own index, so a cosine does not share the angle of the sine beside it.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    feature = torch.arange(d_model, dtype=torch.float64)
    rate = 10000 ** (-feature / d_model)
    angle = position * rate  # (T, D)
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle[:, 0::2].sin()
    encoding[:, 1::2] = angle[:, 1::2].cos()
    return encoding


# %% wrong: single_precision_angles | TRUE CAUSE: the familiar exp/log version is written in float32 from beginning to end, so the angles are rounded and the encoding is inexact far from the start; the text asks for angles in double precision.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    angle = position * div_term
    pe = torch.zeros(length, d_model)
    pe[:, 0::2] = torch.sin(angle)
    pe[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return pe
