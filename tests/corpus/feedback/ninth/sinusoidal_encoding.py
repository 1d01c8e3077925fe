# %% wrong: even_feature_doubled | TRUE CAUSE: even_feature already is 2i, but rate multiplies it by 2 once more, so the exponent is -4i / d_model and all rates but the first are too small
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** (2 * even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)
    return encoding

# %% wrong: cosine_from_pythagoras | TRUE CAUSE: the cosine is computed as the root of 1 - sin squared, which loses its sign, so all odd features are the absolute value of the cosine
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = (1 - paired.sin() ** 2).sqrt()
    return encoding

# %% wrong: own_each_feature_its_own_angle | TRUE CAUSE: the exponent uses the feature's own number j also for odd features, instead of the even number j - 1 of its pair, so each cosine has another angle than the sine beside it
def sinusoidal_encoding(length, d_model):
    pos = torch.arange(length, dtype=torch.float64)
    columns = []
    for j in range(d_model):
        theta = pos / 10000 ** (j / d_model)
        columns.append(torch.sin(theta) if j % 2 == 0 else torch.cos(theta))
    return torch.stack(columns, dim=1).float()

# %% wrong: own_all_in_single_precision | TRUE CAUSE: position, rate and angle are computed in float32 instead of float64, so far from the start (thousands of positions) the rounding of the large angles shows in the fourth digit
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)[:, : d_model // 2]
    return pe
