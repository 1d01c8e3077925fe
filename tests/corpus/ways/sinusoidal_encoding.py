# %% right: fourteenth_own_choose_by_feature_parity
def sinusoidal_encoding(length, d_model):
    feature = torch.arange(d_model)
    is_odd = feature % 2 == 1
    two_i = (feature - feature % 2).to(torch.float64)  # 0, 0, 2, 2, 4, 4, ...
    place = torch.arange(length, dtype=torch.float64)
    angles = torch.outer(place, torch.pow(10000.0, -two_i / d_model))  # (T, D)
    return torch.where(is_odd, angles.cos(), angles.sin()).to(torch.float32)
# %% right: eleventh_own_column_by_column
def sinusoidal_encoding(length, d_model):
    steps = torch.arange(length, dtype=torch.float64)
    columns = []
    for feature in range(d_model):
        pair = feature // 2
        period = 10000.0 ** (2 * pair / d_model)
        wave = torch.cos if feature % 2 else torch.sin
        columns.append(wave(steps / period))
    return torch.stack(columns, dim=1).to(torch.float32)
# %% right: twelfth_own_complex_hands
def sinusoidal_encoding(length, d_model):
    pairs = math.ceil(d_model / 2)
    rates = [math.exp(-2 * i / d_model * math.log(10000)) for i in range(pairs)]
    angles = torch.arange(length, dtype=torch.float64)[:, None] * torch.tensor(rates, dtype=torch.float64)
    hands = torch.polar(torch.ones_like(angles), angles)
    both = torch.stack([hands.imag, hands.real], dim=-1)
    return both.reshape(length, 2 * pairs)[:, :d_model].to(torch.float32)
# %% right: field_annotated_log_of_the_base
def sinusoidal_encoding(length, d_model):
    pe = torch.zeros(length, d_model)
    position = torch.arange(0, length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    return pe
# %% right: field_float32_powers
def sinusoidal_encoding(length, d_model):
    steps = torch.arange(length, dtype=torch.float32).reshape(-1, 1)
    angles = steps / torch.pow(10000, torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
    table = torch.zeros((length, d_model))
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()[:, : d_model // 2]
    return table
# %% right: field_fraction_of_powers
def sinusoidal_encoding(length, d_model):
    pos = torch.arange(0, length).float().unsqueeze(dim=1)
    two_i = torch.arange(0, d_model, step=2).float()
    encoding = torch.zeros(length, d_model, requires_grad=False)
    encoding[:, 0::2] = torch.sin(pos / (10000 ** (two_i / d_model)))
    encoding[:, 1::2] = torch.cos(pos / (10000 ** (two_i[: d_model // 2] / d_model)))
    return encoding
# %% right: field_inverse_frequencies
def sinusoidal_encoding(length, d_model):
    inv_freq = 1 / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = torch.einsum("i,j->ij", torch.arange(length).float(), inv_freq)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)[:, :d_model]
