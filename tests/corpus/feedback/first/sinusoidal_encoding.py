# %% wrong: too_many_cosines | TRUE CAUSE: the cosines are not cut for an odd d_model, which has one cosine fewer than sines
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


# %% wrong: rate_grows | TRUE CAUSE: the minus in the exponent of the rate is missing, so the rates grow from pair to pair instead of falling
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle.cos()[:, : d_model // 2]
    return encoding


# %% wrong: flat_position | TRUE CAUSE: position is (T,) instead of (T, 1), so its product with the rates does not broadcast to a table
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = 1 / 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return encoding


# %% wrong: two_i_twice | TRUE CAUSE: even_feature already is 2i, but it is doubled once more in the exponent of the rate
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).view(-1, 1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = torch.pow(10000.0, -2 * even_feature / d_model)
    angle = position @ rate.view(1, -1)  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle[:, : d_model // 2].cos()
    return encoding


# %% wrong: log_to_ten | TRUE CAUSE: exp is used with the logarithm to base 10 instead of the natural one, so the rates fall far too slowly
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = torch.exp(even_feature * (-math.log10(10000.0) / d_model))
    angle = torch.outer(position.squeeze(1), rate)  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)[:, : encoding[:, 1::2].size(1)]
    return encoding


# %% wrong: odd_made_even | TRUE CAUSE: an odd d_model is rounded up to the next even one before the rates are calculated, so their exponents divide by d_model + 1
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    wanted = d_model
    d_model = d_model + d_model % 2  # so that sines and cosines are equally many
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = torch.exp(-even_feature * math.log(10000.0) / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle.cos()
    return encoding[:, :wanted]


# %% wrong: two_halves | TRUE CAUSE: all sines come first and all cosines after them, instead of taking turns
def sinusoidal_encoding(length, d_model):
    pos = torch.arange(length, dtype=torch.float64).unsqueeze(-1)
    two_i = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = pos / 10000 ** (two_i / d_model)
    sines = angle.sin()
    cosines = angle.cos()[:, : d_model // 2]
    return torch.cat([sines, cosines], dim=1).to(torch.get_default_dtype())


# %% wrong: each_its_own_rate | TRUE CAUSE: two at once: the cosine of feature j uses the exponent j / d_model of its own number, instead of sharing the angle of the sine before it, and the base is typed as 1000 instead of 10000
def sinusoidal_encoding(length, d_model):
    encoding = torch.zeros(length, d_model)
    for pos in range(length):
        for feature in range(d_model):
            angle = pos / 1000 ** (feature / d_model)
            if feature % 2 == 0:
                encoding[pos, feature] = math.sin(angle)
            else:
                encoding[pos, feature] = math.cos(angle)
    return encoding


# %% wrong: polar_from_one | TRUE CAUSE: two at once: positions are counted from 1 instead of 0, and real and imaginary part of the polar form put the cosine into the even features and the sine into the odd ones
def sinusoidal_encoding(length, d_model):
    """The hands of the clocks are complex numbers of length 1."""
    pos = torch.arange(1, length + 1, dtype=torch.float64)
    rate = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angle = torch.outer(pos, rate)
    hands = torch.polar(torch.ones_like(angle), angle)
    pairs = torch.view_as_real(hands)  # (T, pairs, 2)
    return pairs.flatten(1)[:, :d_model].to(torch.get_default_dtype())
