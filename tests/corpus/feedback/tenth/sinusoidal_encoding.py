# %% wrong: rates_end_at_one_ten_thousandth | TRUE CAUSE: the exponent is divided by d_model - 2 instead of d_model, so that the last pair has exactly the rate 1/10000; all rates but the first are too small
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = torch.exp(-math.log(10000.0) * even_feature / max(d_model - 2, 1))
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)
    return encoding
# %% wrong: result_in_double | TRUE CAUSE: the result is made with dtype=torch.float64 like the angles, where the text wants float32, so that all that it is added to becomes double
def sinusoidal_encoding(length, d_model):
    """Write each position as sines and cosines of many wavelengths (section 3.5).

    Even features are sines, odd ones the cosines of the same angles; the last sine of an odd
    d_model has no cosine beside it.
    """
    position = torch.arange(length, dtype=torch.float64)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 1 / 10000 ** (even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model, dtype=torch.float64)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()
    return encoding
# %% wrong: own_stacked_on_the_wrong_axis | TRUE CAUSE: sines and cosines are stacked on axis 1, (T, 2, pairs), before flattening, so all sines stand on the left and all cosines on the right instead of alternating
def sinusoidal_encoding(length, d_model):
    pos = torch.arange(length).double()
    rates = 10000.0 ** (-torch.arange(0, d_model, 2).double() / d_model)
    angles = torch.outer(pos, rates)
    waves = torch.stack([angles.sin(), angles.cos()], dim=1)
    return waves.flatten(1)[:, :d_model].float()
# %% wrong: own_each_feature_its_own_angle | TRUE CAUSE: the loop takes the feature's own number k as the exponent's numerator, also for odd k, so a cosine has the rate of 2i + 1 instead of sharing the angle of the sine beside it
def sinusoidal_encoding(length, d_model):
    columns = []
    pos = torch.arange(length, dtype=torch.float64)
    for k in range(d_model):
        angle = pos / 10000 ** (k / d_model)
        columns.append(torch.cos(angle) if k % 2 else torch.sin(angle))
    return torch.stack(columns, dim=1).to(torch.float32)
