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
