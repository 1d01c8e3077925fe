# %% wrong: divided_after_the_power | TRUE CAUSE: operator precedence: 1 / 10000 ** even_feature / d_model raises to the power 2i first and divides the result by d_model, instead of raising to 2i / d_model
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** even_feature / d_model
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)
    return encoding


# %% wrong: loop_with_the_feature_number_as_i | TRUE CAUSE: two mistakes: the loop's i is already the even feature 2i and is doubled again in the exponent, and the cosine has a rate of its own (from i + 1) instead of sharing the angle of its sine
def sinusoidal_encoding(length, d_model):
    encoding = torch.zeros(length, d_model)
    for pos in range(length):
        for i in range(0, d_model, 2):
            encoding[pos, i] = math.sin(pos / 10000 ** (2 * i / d_model))
            if i + 1 < d_model:
                encoding[pos, i + 1] = math.cos(pos / 10000 ** (2 * (i + 1) / d_model))
    return encoding


# %% wrong: cosines_of_all_angles | TRUE CAUSE: the cosines are taken of angle and not of paired, so with an odd d_model there is one cosine too many for the odd features (right for every even d_model)
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = angle.cos()
    return encoding
