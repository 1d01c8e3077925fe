# %% wrong: doubled_exponent | TRUE CAUSE: even_feature is already 2i, but it is multiplied by 2 once more in the exponent of the rate
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = 1 / 10000 ** (2 * even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return encoding


# %% wrong: odd_crashes | TRUE CAUSE: the cosines are not cut to d_model // 2 columns, so for an odd d_model there is one too many (crash)
def sinusoidal_encoding(length, d_model):
    position = torch.arange(length).unsqueeze(1)  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = 10000 ** (-even_feature / d_model)
    angle = position * rate  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


# %% wrong: starts_at_1 | TRUE CAUSE: the positions are counted from 1 instead of 0, so every row is that of the next position
def sinusoidal_encoding(length, d_model):
    position = torch.linspace(1, length, length, dtype=torch.float64)[:, None]  # (T, 1)
    even_feature = torch.arange(0, d_model, 2, dtype=torch.float64)  # 2i
    rate = torch.exp(-math.log(10000.0) * even_feature / d_model)
    angle = torch.outer(position[:, 0], rate)  # (T, ceil(D / 2))
    encoding = torch.zeros(length, d_model)
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle[:, : encoding[:, 1::2].size(1)].cos()
    return encoding


# %% wrong: halves_and_i | TRUE CAUSE: two mistakes: all sines come first and then all cosines instead of taking turns, and the exponent uses the pair's number i instead of 2i
def sinusoidal_encoding(length, d_model):
    pairs = (d_model + 1) // 2
    i = torch.arange(pairs, dtype=torch.float64)
    angle = torch.arange(length, dtype=torch.float64)[:, None] / 10000 ** (i / d_model)
    both = torch.cat([angle.sin(), angle.cos()], dim=1)
    return both[:, :d_model].float()


# %% wrong: own_rate_for_cosines | TRUE CAUSE: each feature j uses its own j in the exponent, so a cosine does not share the angle of the sine beside it
def sinusoidal_encoding(length, d_model):
    table = torch.zeros(length, d_model)
    for pos in range(length):
        for j in range(d_model):
            angle = pos / 10000 ** (j / d_model)
            table[pos, j] = math.sin(angle) if j % 2 == 0 else math.cos(angle)
    return table
