# %% wrong: two_i_doubled_again | even_feature is already 2i, but the rate multiplies it by 2 once more: the exponent is -4i / d_model, so the waves slow down twice as fast from pair to pair.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = 10000.0 ** (-2 * even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = paired.cos()
    return encoding
# %% wrong: angles_in_single_precision | The rate is turned into float32 with .float(), so the angles are in float32, too (the positions are integers): far from the start their rounding shows. Rates and angles have to be in float64.
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i, in double precision
    rate = torch.exp(-math.log(10000.0) * even_feature / d_model).float()
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    paired = angle[:, : d_model // 2]  # if d_model is odd, without the last one
    encoding[:, 1::2] = torch.cos(paired)
    return encoding
# %% wrong: own_sines_left_cosines_right | All sines are put on the left and all cosines on the right (cat) instead of alternating sine, cosine, sine, cosine, as the formula's features 2i and 2i + 1 say.
def sinusoidal_encoding(length, d_model):
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    angles = torch.outer(torch.arange(length, dtype=torch.float64), 10000.0**-exponent)
    waves = torch.cat([angles.sin(), angles.cos()], dim=1)
    return waves[:, :d_model].to(torch.float32)
# %% wrong: own_each_column_its_own_rate | The exponent is taken from the column itself, so a cosine in column 2i + 1 has the rate of 2i + 1 instead of that of its sine, 2i: the two of a pair do not share one angle.
def sinusoidal_encoding(length, d_model):
    place = torch.arange(length, dtype=torch.float64)
    columns = []
    for column in range(d_model):
        angle = place / 10000.0 ** (column / d_model)
        columns.append(angle.sin() if column % 2 == 0 else angle.cos())
    return torch.stack(columns, dim=1).to(torch.float32)
