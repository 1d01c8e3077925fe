# %% wrong: positions_from_one | TRUE CAUSE: positions are counted from 1 instead of from 0, so each row is that of the next position
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(1, length + 1).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()  # blank: sines
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()  # blank: cosines
    return encoding


# %% wrong: sines_left_cosines_right | TRUE CAUSE: all sines are laid left and all cosines right by torch.cat, instead of alternating sine and cosine
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length, dtype=torch.float64)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = 1 / 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    paired = angle[:, : d_model // 2]
    return torch.cat([angle.sin(), paired.cos()], dim=1).float()


# %% wrong: loop_with_double_exponents | TRUE CAUSE: two mistakes: the loop's i is already the even feature 2i and is doubled again in the exponent; and the cosine gets an angle of its own, with the odd feature i + 1 in the exponent, instead of that of its sine
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5)."""
    position = torch.arange(length, dtype=torch.float64)
    encoding = torch.zeros(length, d_model)
    for i in range(0, d_model, 2):
        encoding[:, i] = torch.sin(position / 10000 ** (2 * i / d_model))
        if i + 1 < d_model:
            encoding[:, i + 1] = torch.cos(position / 10000 ** (2 * (i + 1) / d_model))
    return encoding
